// The daemon from inside: its state, its rows as they change, its log, and the trouble it is in.

import { act, byId, clock, make, span } from "./wire.js";

const WORDS = { starting: "starting", up: "running", stopping: "stopping", down: "dead", stopped: "stopped", refused: "refused its configuration" };
const NEAR_END = 40;
const MOST_LINES = 400;

export class Daemon {
  constructor(complain) {
    this.complain = complain;
    this.state = { state: "starting", pid: 0, started_at: 0, starts: 0, back_at: 0, last_end: "" };
    this.ahead = 0;
    this.trouble = {};
    this.known = new Map();
    byId("kill").onclick = () => this.does("daemon/kill");
    byId("toggle").onclick = () => this.does(byId("toggle").dataset.act);
    for (const button of document.querySelectorAll("[data-trouble]")) {
      button.dataset.words = button.textContent;
      button.onclick = () => this.does(`trouble/${button.dataset.trouble}`);
    }
    setInterval(() => this.drawTimes(), 500);
  }

  now() {
    return Date.now() / 1000 + this.ahead;
  }

  async does(path) {
    try {
      await act(path);
    } catch (error) {
      this.complain(error.message);
    }
  }

  daemon(state) {
    this.state = state;
    const alive = Boolean(state.pid);
    const away = ["stopped", "refused"].includes(state.state);
    byId("daemon").dataset.state = state.state;
    byId("daemon-state").textContent = WORDS[state.state] ?? state.state;
    byId("kill").disabled = !alive;
    byId("toggle").disabled = state.state === "stopping";
    byId("toggle").textContent = alive ? "Stop" : away ? "Start" : "Start now";
    byId("toggle").dataset.act = alive ? "daemon/stop" : "daemon/start";
    this.drawTimes();
  }

  drawTimes() {
    const { state, pid, started_at: since, starts, back_at: back, last_end: end } = this.state;
    const facts = [];
    if (pid) facts.push(`pid ${pid}`, span(Math.floor(this.now() - since)).replace(".0", ""));
    if (!pid && end) facts.push(end);
    if (state === "down" && back > this.now()) facts.push(`starts again in ${Math.max(1, Math.round(back - this.now()))} s`);
    if (starts > 1) facts.push(`${starts} starts`);
    byId("daemon-facts").textContent = facts.join(" · ");
    this.drawTrouble();
  }

  blind({ why }) {
    byId("blind").hidden = !why;
    byId("blind").title = why;
    byId("tables").classList.toggle("stale", Boolean(why));
  }

  setTrouble(active) {
    this.trouble = active;
    this.drawTrouble();
  }

  drawTrouble() {
    for (const button of document.querySelectorAll("[data-trouble]")) {
      const until = this.trouble[button.dataset.trouble];
      button.setAttribute("aria-pressed", String(until !== undefined));
      const left = until ? ` ${Math.max(0, Math.ceil(until - this.now()))} s` : "";
      button.textContent = button.dataset.words + (left && until ? ` ·${left}` : "");
    }
  }

  // rows --------------------------------------------------------------------------------------------------

  rows(tables) {
    const leased = new Set(tables.leased ?? []);
    for (const name of ["inbox", "steps", "outbox"]) this.drawTable(name, tables[name] ?? [], leased);
  }

  drawTable(name, rows, leased) {
    const list = byId(name);
    const first = !list.children.length;
    const items = rows.map((row) => {
      const key = `${name}-${row.id}`;
      const busy = row.state === "ready" && leased.has(`${name}/${row.lane}`);
      const print = JSON.stringify([row, busy]);
      const known = this.known.get(key);
      if (known?.print === print) return known.item;
      const item = this.rowItem(row, busy);
      if (!first) item.classList.add(known ? "changed" : "new");
      this.known.set(key, { print, item });
      return item;
    });
    list.replaceChildren(...(items.length ? items : [make("li", { className: "empty" }, "no rows yet")]));
    const waiting = rows.filter((row) => row.state === "ready" && !leased.has(`${name}/${row.lane}`)).length;
    byId(`${name}-count`).textContent = name === "steps" ? "" : waiting ? `${waiting} waiting` : "";
  }

  rowItem(row, busy) {
    const state = busy ? "working" : row.state;
    const took = row.done_at ? ` · ${span(row.done_at - row.at)}` : "";
    const trials = [row.failures ? `${row.failures}× failed` : "", row.deaths ? `${row.deaths}× died with it` : ""].filter(Boolean);
    const item = make(
      "li",
      { title: [row.lane, row.why].filter(Boolean).join("\n") },
      make(
        "p",
        { className: "head" },
        make("b", { className: "state", data: { state } }, state),
        make("span", { className: "id" }, `#${row.id}`),
        row.turn ? turnChip(row.turn) : null,
        make("time", {}, row.at ? `${clock(row.at, { seconds: true })}${took}` : ""),
      ),
      make("p", { className: "words" }, row.who ? make("b", {}, `${row.who}: `) : null, row.text || (row.kind ? `(${row.kind})` : "")),
      trials.length || row.why ? make("p", { className: "why", data: { state } }, [...trials, row.why].filter(Boolean).join(" · ")) : null,
    );
    if (row.turn) {
      item.dataset.turn = row.turn;
      item.onpointerenter = () => point(row.turn);
      item.onpointerleave = () => point(null);
    }
    return item;
  }

  // the log -----------------------------------------------------------------------------------------------

  log(lines) {
    const list = byId("log");
    const near = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    list.append(...lines.map((line) => make("li", { data: { level: line.level } }, line.text)));
    while (list.children.length > MOST_LINES) list.firstChild.remove();
    if (near) list.scrollTop = list.scrollHeight;
  }

  forget() {
    byId("log").replaceChildren();
  }
}

function turnChip(turn) {
  let hash = 0;
  for (const sign of turn) hash = (hash * 31 + sign.codePointAt(0)) >>> 0;
  const chip = make("span", { className: "turn", title: `turn ${turn}` }, turn.slice(-4));
  chip.style.setProperty("--hue", String(Math.round(hash * 137.5) % 360)); // neighbours look different
  return chip;
}

function point(turn) {
  for (const item of document.querySelectorAll(".rows li")) item.classList.toggle("same", turn !== null && item.dataset.turn === turn);
}
