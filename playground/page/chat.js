// The conversation as a phone shows it: bubbles that grow while they are edited, and everything a person can do.

import { bubble, excerpt } from "./bubble.js";
import { act, byId, make } from "./wire.js";

const NEAR_END = 80;
const TYPING_SECONDS = 6;

export class Chat {
  constructor(complain) {
    this.complain = complain;
    this.apps = new Map();
    this.app = null;
    this.unread = new Map();
    this.about = null;
    this.drafts = new Map();
    this.bind();
  }

  bind() {
    byId("composer").onsubmit = (event) => {
      event.preventDefault();
      this.submit();
    };
    byId("words").onkeydown = (event) => this.key(event);
    byId("words").oninput = () => {
      this.grow();
      this.suggest();
    };
    byId("writer").onchange = () => this.drawTalk(Number(byId("writer").value));
    byId("about-end").onclick = () => this.talkAbout(null);
    const attach = byId("attach");
    attach.onkeydown = (event) => ["Enter", " "].includes(event.key) && byId("file").click();
    byId("file").onchange = (event) => this.sendFile(event.target.files[0]);
    byId("messages").ondragover = (event) => event.preventDefault();
    byId("messages").ondrop = (event) => {
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.sendFile(event.dataTransfer.files[0]);
    };
  }

  get talks() {
    return this.app?.talks ?? [];
  }

  get talk() {
    return this.talks.find((talk) => talk.id === this.app.current);
  }

  /** What names the talk that is shown, among all apps. */
  get here() {
    return this.talk ? key(this.app, this.talk.id) : "";
  }

  get writer() {
    return this.talk.direct ? this.talk.people[0].id : byId("writer").value;
  }

  everything({ app: name, title, talks, messages }) {
    const known = this.apps.get(name);
    const app = { name, title, talks, current: known?.current ?? talks[0]?.id, messages: new Map() };
    for (const [id, list] of Object.entries(messages)) app.messages.set(id, new Map(list.map((one) => [one.id, one])));
    this.apps.set(name, app);
    if (!this.app || this.app.name === name) this.app = app;
    this.drawApps();
    if (this.app !== app) return;
    this.drawTalks();
    this.drawTalk(byId("writer").value);
  }

  message({ app: name, message }) {
    const app = this.apps.get(name);
    const talk = app.messages.get(message.talk) ?? new Map();
    app.messages.set(message.talk, talk);
    const known = talk.has(message.id);
    if (message.deleted) talk.delete(message.id);
    else talk.set(message.id, message);
    const place = key(app, message.talk);
    if (place === this.here) {
      this.drawMessage(message);
      this.drawStatus();
      return;
    }
    if (!known && message.from_bot) this.unread.set(place, (this.unread.get(place) ?? 0) + 1);
    this.drawApps();
    this.drawTalks();
  }

  changed({ app: name, talk }) {
    const app = this.apps.get(name);
    app.talks = app.talks.map((one) => (one.id === talk.id ? talk : one));
    if (key(app, talk.id) === this.here) this.drawStatus();
  }

  /** Goes to a talk, of the app that is shown or of another one. */
  open(id, app = this.app) {
    if (this.talk) this.drafts.set(this.here, byId("words").value);
    this.app = app;
    app.current = id;
    this.unread.delete(this.here);
    byId("words").value = this.drafts.get(this.here) ?? "";
    this.talkAbout(null);
    this.drawApps();
    this.drawTalks();
    this.drawTalk();
    this.grow();
    byId("words").focus();
  }

  step(by) {
    const all = [...this.apps.values()];
    const app = all[(all.indexOf(this.app) + by + all.length) % all.length];
    this.open(app.current, app);
  }

  // drawing ---------------------------------------------------------------------------------------------

  drawApps() {
    document.querySelector(".phone").dataset.app = document.body.dataset.app = this.app.name;
    byId("apps").replaceChildren(
      ...[...this.apps.values()].map((app) => {
        const chosen = app === this.app;
        const count = app.talks.reduce((sum, talk) => sum + (this.unread.get(key(app, talk.id)) ?? 0), 0);
        return make(
          "button",
          {
            type: "button", role: "tab", tabIndex: chosen ? 0 : -1, title: "Alt+A: the next app", data: { app: app.name },
            aria: { selected: String(chosen) },
            onclick: () => this.open(app.current, app),
            onkeydown: (event) => this.turn(event, "apps", (by) => this.step(by)),
          },
          make("i", { className: "dot" }),
          make("span", {}, app.title),
          count ? make("b", { className: "badge" }, String(count)) : null,
        );
      }),
    );
  }

  drawTalks() {
    byId("talks").replaceChildren(
      ...this.talks.map((talk, place) => {
        const count = this.unread.get(key(this.app, talk.id));
        const chosen = talk.id === this.app.current;
        return make(
          "button",
          {
            type: "button", role: "tab", tabIndex: chosen ? 0 : -1, title: `Alt+${place + 1}`,
            aria: { selected: String(chosen) },
            onclick: () => this.open(talk.id),
            onkeydown: (event) =>
              this.turn(event, "talks", (by) => this.open(this.talks[(place + by + this.talks.length) % this.talks.length].id)),
          },
          face(talk.title),
          make("span", {}, talk.title),
          count ? make("b", { className: "badge" }, String(count)) : null,
        );
      }),
    );
  }

  turn(event, list, go) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    go(by);
    byId(list).querySelector('[aria-selected="true"]').focus();
  }

  drawTalk(writer = "") {
    if (!this.talk) return;
    const { direct, title, people, placeholder } = this.talk;
    const name = direct ? "Dragoman" : title;
    byId("talk-title").textContent = name;
    byId("talk-face").replaceChildren(face(name));
    byId("writer").hidden = direct;
    byId("writer").replaceChildren(...people.map(({ id, name }) => make("option", { value: id, selected: id === writer }, name)));
    byId("words").placeholder = placeholder;
    const list = byId("messages");
    list.replaceChildren();
    for (const message of this.app.messages.get(this.talk.id)?.values() ?? []) list.append(this.item(message));
    if (!list.children.length) list.append(this.emptiness(direct));
    list.scrollTop = list.scrollHeight;
    this.drawStatus();
  }

  emptiness(direct) {
    const words = direct
      ? `Nothing here yet. ${this.talk.title} may write the first word.`
      : `A group of ${this.talk.people.length} people and the bot, which answers when it is named.`;
    return make("li", { className: "empty" }, words);
  }

  drawMessage(message) {
    const list = byId("messages");
    const near = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
    const old = document.getElementById(`m${message.id}`);
    if (message.deleted) old?.remove();
    else if (old) this.redraw(old, message);
    else {
      list.querySelector(".empty")?.remove();
      list.append(this.item(message));
    }
    if (near || !message.from_bot) list.scrollTop = list.scrollHeight;
  }

  redraw(old, message) {
    const focused = old.contains(document.activeElement) ? document.activeElement.dataset.does : null;
    const item = this.item(message);
    if (message.from_bot && message.edits) {
      item.classList.add("growing");
      clearTimeout(this.still);
      this.still = setTimeout(() => byId("messages").querySelectorAll(".growing").forEach((one) => one.classList.remove("growing")), 900);
    }
    byId("messages").querySelectorAll(".growing").forEach((one) => one !== old && one.classList.remove("growing"));
    old.replaceWith(item);
    if (focused) item.querySelector(`[data-does="${focused}"]`)?.focus();
  }

  item(message) {
    const talk = this.app.messages.get(message.talk);
    const ids = [...talk.keys()];
    const before = talk.get(ids[ids.indexOf(message.id) - 1]);
    return bubble(message, {
      app: this.app.name,
      mine: this.talk.direct ? !message.from_bot : message.sender === this.writer,
      named: !this.talk.direct && before?.sender !== message.sender,
      joined: before?.sender === message.sender,
      answered: talk.get(message.reply_to),
      does: {
        reply: () => this.talkAbout({ kind: "reply", message }),
        edit: !message.from_bot && message.text ? () => this.talkAbout({ kind: "edit", message }) : null,
        remove: () => this.does("delete", { message: message.id }),
        react: (emoji) => this.does("react", { message: message.id, emoji }),
        press: (press) => this.does("press", { message: message.id, press }),
        jump: (id) => this.jump(id),
      },
    });
  }

  jump(id) {
    const target = document.getElementById(`m${id}`);
    target?.scrollIntoView({ block: "center", behavior: "smooth" });
    target?.classList.add("pointed");
    setTimeout(() => target?.classList.remove("pointed"), 1200);
  }

  drawStatus() {
    const { status, direct } = this.talk;
    clearTimeout(this.quiet);
    if (status) this.quiet = setTimeout(() => this.changed({ app: this.app.name, talk: { ...this.talk, status: "" } }), TYPING_SECONDS * 1000);
    byId("talk-status").textContent = status ? `${direct ? "" : "Dragoman is "}${status}…` : direct ? "bot" : "group";
    byId("talk-status").classList.toggle("typing", Boolean(status));
  }

  // writing -----------------------------------------------------------------------------------------------

  async does(name, body) {
    try {
      return await act(`apps/${this.app.name}/${name}`, { user: this.writer, talk: this.talk.id, ...body });
    } catch (error) {
      this.complain(error.message);
      return null;
    }
  }

  talkAbout(about) {
    this.about = about;
    byId("about").hidden = !about;
    if (!about) return;
    byId("about-words").textContent = `${about.kind === "edit" ? "Edit" : `Reply to ${about.message.name}`}: ${excerpt(about.message)}`;
    if (about.kind === "edit") byId("words").value = about.message.text;
    this.grow();
    byId("words").focus();
  }

  async submit() {
    const text = byId("words").value.trim();
    if (!text) return;
    const about = this.about;
    byId("words").value = "";
    this.talkAbout(null);
    this.grow();
    this.suggest();
    const done = about?.kind === "edit"
      ? await this.does("edit", { message: about.message.id, text })
      : await this.does("say", { text, reply_to: about?.message.id ?? "" });
    if (done === null && !byId("words").value) byId("words").value = text;
  }

  say(text) {
    return this.does("say", { text });
  }

  async sendFile(file) {
    if (!file) return;
    byId("file").value = "";
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
    const caption = byId("words").value.trim();
    const sent = await this.does("send_file", {
      name: file.name, mime: file.type || "application/octet-stream", content: btoa(binary), text: caption,
      reply_to: this.about?.message.id ?? "",
    });
    if (sent !== null && caption) byId("words").value = "";
  }

  key(event) {
    const menu = byId("menu");
    if (!menu.hidden && this.choose(event, menu)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape") this.talkAbout(null);
    else if (event.key === "ArrowUp" && !event.target.value) this.editLast(event);
  }

  editLast(event) {
    const mine = [...(this.app.messages.get(this.talk.id)?.values() ?? [])].filter((one) => one.sender === this.writer && one.text);
    if (!mine.length) return;
    event.preventDefault();
    this.talkAbout({ kind: "edit", message: mine.at(-1) });
  }

  grow() {
    const words = byId("words");
    words.style.height = "auto";
    words.style.height = `${Math.min(words.scrollHeight, 160)}px`;
  }

  // the command menu ----------------------------------------------------------------------------------------

  suggest() {
    const typed = /^\/(\w*)$/.exec(byId("words").value);
    const fitting = typed ? this.talk.commands.filter((one) => one.command.startsWith(typed[1].toLowerCase())) : [];
    byId("menu").hidden = !fitting.length;
    byId("menu").replaceChildren(
      ...fitting.map((one, place) =>
        make(
          "button",
          { type: "button", role: "option", tabIndex: -1, aria: { selected: String(place === 0) }, onclick: () => this.pick(one.command) },
          make("b", {}, `/${one.command}`),
          make("span", {}, one.description),
        ),
      ),
    );
  }

  choose(event, menu) {
    const options = [...menu.children];
    const at = options.findIndex((one) => one.getAttribute("aria-selected") === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      options[at]?.setAttribute("aria-selected", "false");
      const next = options[(at + step + options.length) % options.length];
      next.setAttribute("aria-selected", "true");
      next.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Tab" || (event.key === "Enter" && options[at].firstChild.textContent !== event.target.value)) options[at].click();
    else if (event.key === "Escape") menu.hidden = true;
    else return false;
    event.preventDefault();
    return true;
  }

  pick(command) {
    byId("words").value = `/${command}`;
    byId("menu").hidden = true;
    byId("words").focus();
  }
}

const key = (app, talk) => `${app.name}/${talk}`;

function face(name) {
  const letter = [...name].find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "?";
  const element = make("i", { className: "face" }, letter);
  element.style.setProperty("--hue", String(([...name].reduce((sum, one) => sum + one.codePointAt(0), 0) * 137) % 360));
  return element;
}
