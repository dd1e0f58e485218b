// The panel of jobs: when each is due next, what became of its runs, and a clock that can be moved forward.

import { act, byId, make, span } from "./wire.js";

const STEPS = [["+10 min", 600], ["+1 h", 3600], ["+1 day", 86400]];
const SHOWN_RUNS = 5;

export class Jobs {
  constructor(complain) {
    this.complain = complain;
    this.why = "";
    for (const [words, seconds] of STEPS) {
      const button = make("button", { type: "button", textContent: words, title: "Move the clock of jobs forward" });
      button.onclick = () => this.does("forward", { seconds });
      byId("jobs-clock").append(button);
    }
  }

  async does(name, body) {
    try {
      return await act(`jobs/${name}`, body);
    } catch (error) {
      this.complain(error.message);
      return null;
    }
  }

  draw({ jobs, ahead }) {
    byId("jobs-ahead").textContent = ahead ? `clock ${span(ahead)} ahead` : "";
    byId("jobs-count").textContent = jobs.length ? String(jobs.length) : "";
    byId("jobs").replaceChildren(...(jobs.length ? jobs.map((job) => this.row(job)) : [this.nothing()]));
  }

  nothing() {
    return make("li", { className: "empty", textContent: "No jobs: try /schedule every hour: echo the bell" });
  }

  row(job) {
    const due = job.upcoming.map((at) => when(at, job.zone)).join(" · ") || job.state;
    const paused = job.state === "paused";
    const acts = [["Run now", "run"], paused ? ["Resume", "resume"] : ["Pause", "pause"], ["Remove", "remove"]];
    const buttons = acts.map(([words, name]) => {
      const button = make("button", { type: "button", textContent: words, data: { act: name } });
      button.onclick = () => this.does(name, { id: job.id });
      return button;
    });
    const why = make("button", { type: "button", textContent: "Why", data: { act: "why" } });
    const told = make("div", { className: "told" });
    why.onclick = () => this.explain(job, told);
    const title = make("b", { textContent: job.name });
    const reading = make("small", { textContent: ` ${job.reading ?? job.when}, ${job.zone} ` });
    return make("li", { data: { job: job.id } }, title, reading, make("span", { className: "due", textContent: due }), ...buttons, why, told);
  }

  async explain(job, told) {
    const whole = await this.does("why", { id: job.id });
    if (!whole) return;
    const runs = whole.runs.slice(0, SHOWN_RUNS).map((run) => `${when(run.due, job.zone)}: ${run.became}`);
    told.replaceChildren(...(runs.length ? runs : ["It has not run yet."]).map((line) => make("div", { textContent: line })));
  }
}

function when(at, zone) {
  return new Date(at * 1000).toLocaleString("en-GB", {
    timeZone: zone, weekday: "short", day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit",
  });
}
