// One message as a bubble, with its reply, its file, its buttons and reactions, and what can be done with it.

import { formatted } from "./text.js";
import { clock, fileAddress, make } from "./wire.js";

const REACTIONS = ["👍", "👎", "❤", "🎉", "🔁", "🗑"];
const PLACEHOLDER = /^(…|\.\.\.)$/;
const addresses = new Map();

/** Gives the beginning of what a message says. */
export function excerpt(message) {
  const words = message.text || message.files[0]?.name || "message";
  return words.length > 60 ? `${words.slice(0, 60)}…` : words;
}

/** Makes the bubble. */
export function bubble(message, view) {
  if (message.service) return make("li", { id: `m${message.id}`, className: "service" }, message.service);
  const side = view.mine ? "mine" : "theirs";
  const classes = ["message", side, view.joined ? "joined" : ""].filter(Boolean).join(" ");
  return make(
    "li",
    { id: `m${message.id}`, className: classes, data: { sender: message.sender } },
    make(
      "div",
      { className: "bubble" },
      view.named && !view.mine ? make("b", { className: "sender" }, message.name) : null,
      answered(message, view),
      ...message.files.map((file) => (file.picture ? picture(file, view.app) : fileLine(file, view.app))),
      words(message),
      message.note ? make("small", { className: "note" }, message.note) : null,
      stamp(message),
    ),
    keyboard(message, view.does),
    reactions(message),
    actions(message, view),
  );
}

function words(message) {
  const { text } = message;
  if (message.from_bot && PLACEHOLDER.test(text)) {
    return make("div", { className: "text waiting", aria: { label: "is writing" } }, make("i"), make("i"), make("i"));
  }
  return text ? make("div", { className: "text" }, formatted(text, message.entities)) : null;
}

function stamp(message) {
  const edited = message.edits && !message.from_bot ? "edited " : "";
  return make("time", { title: message.edits ? `${message.edits} edits` : "" }, `${edited}${clock(message.date)}`);
}

function answered(message, view) {
  if (!message.reply_to) return null;
  const target = view.answered;
  const text = message.quote || (target ? excerpt(target) : "deleted message");
  return make(
    "button",
    { className: "answered", type: "button", data: { does: "jump" }, onclick: () => view.does.jump(message.reply_to) },
    make("b", {}, target?.name ?? ""),
    make("span", {}, text),
  );
}

function picture(file, app) {
  const image = make("img", { className: "photo", alt: file.name });
  const place = `${app}/${file.id}`;
  if (!addresses.has(place)) addresses.set(place, fileAddress(app, file.id, "image/jpeg"));
  addresses.get(place).then(
    (address) => (image.src = address),
    () => image.replaceWith(make("p", { className: "file" }, "🖼 photo")),
  );
  return image;
}

function fileLine(file, app) {
  return make(
    "button",
    { className: "file", type: "button", title: "Save", data: { does: "save" }, onclick: () => save(file, app) },
    `📄 ${file.name}`,
    make("small", {}, size(file.size)),
  );
}

async function save(file, app) {
  const address = await fileAddress(app, file.id, "application/octet-stream");
  make("a", { href: address, download: file.name }).click();
  URL.revokeObjectURL(address);
}

function size(bytes) {
  if (!bytes) return "";
  return bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
}

function keyboard(message, does) {
  if (!message.buttons.length) return null;
  const button = ({ text, press }, place) =>
    make("button", { type: "button", data: { does: `press${place}` }, disabled: !press, onclick: () => does.press(press) }, text);
  return make("div", { className: "keyboard" }, ...message.buttons.map((row) => make("div", {}, ...row.map(button))));
}

function reactions(message) {
  if (!message.reactions.length) return null;
  const shown = message.reactions.map(([emoji, count]) => make("span", {}, count > 1 ? `${emoji} ${count}` : emoji));
  return make("div", { className: "reactions" }, ...shown);
}

function actions(message, view) {
  const button = (name, label, does) =>
    make("button", { type: "button", title: label, aria: { label }, data: { does: label }, onclick: does }, name);
  return make(
    "div",
    { className: "actions", role: "group", aria: { label: "What to do with this message" } },
    button("↩", "Reply", view.does.reply),
    view.mine && view.does.edit ? button("✎", "Edit", view.does.edit) : null,
    view.mine && !message.from_bot ? button("✕", "Delete", view.does.remove) : null,
    ...(message.from_bot ? REACTIONS.map((emoji) => button(emoji, `React with ${emoji}`, () => view.does.react(emoji))) : []),
  );
}
