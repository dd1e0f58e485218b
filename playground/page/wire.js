// Calls to the playground's server. The token comes from the address's fragment and goes out as a header only.

const HEADER = "X-Playground-Token";
const PAUSE = 1000;

export const token = () => location.hash.slice(1);

export class Refused extends Error {}

async function request(path, options = {}) {
  const response = await fetch(path, { ...options, headers: { ...options.headers, [HEADER]: token() } });
  if (response.status === 403) throw new Refused("token");
  return response;
}

/** Does an act; gives its result, or throws an Error with the server's words. */
export async function act(path, body = {}) {
  const response = await request(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error);
  return answer.result;
}

/** Fetches a file of the conversation as an address the page may show. */
export async function fileAddress(app, id, mime) {
  const response = await request(`/api/apps/${app}/files/${encodeURIComponent(id)}`);
  if (!response.ok) throw new Error("the file is not there");
  return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: mime }));
}

/** Calls `hear` with every message of the stream; `lost` when it breaks, with the reason; ends only without a token. */
export async function listen(hear, lost) {
  for (;;) {
    try {
      await follow(hear);
      lost("ended");
    } catch (error) {
      lost(error instanceof Refused ? "token" : "ended");
      if (error instanceof Refused) return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function follow(hear) {
  const response = await request("/api/stream");
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line) hear(JSON.parse(line));
  }
}

/** Makes an element; text only ever becomes text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "data") Object.assign(element.dataset, value);
    else if (name === "aria") for (const [key, words] of Object.entries(value)) element.setAttribute(`aria-${key}`, words);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const byId = (id) => document.getElementById(id);

const two = (number) => String(number).padStart(2, "0");

/** Shows an instant (seconds since 1970) as the time of day. */
export function clock(at, { seconds = false } = {}) {
  const date = new Date(at * 1000);
  const minutes = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return seconds ? `${minutes}:${two(date.getSeconds())}` : minutes;
}

/** Shows a length in seconds. */
export function span(seconds) {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
