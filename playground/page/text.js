// A message's text with its entities, as elements. Offsets are UTF-16 units, which is how JavaScript counts as well.

import { make } from "./wire.js";

const TAGS = {
  bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code", pre: "pre", spoiler: "span",
  blockquote: "blockquote", expandable_blockquote: "blockquote", text_link: "a", url: "a", email: "a",
};
const BLOCKS = new Set(["PRE", "BLOCKQUOTE"]);
const SAFE = /^(https?|tg|mailto):/i;

function wrap(entity, text) {
  const element = make(TAGS[entity.type] ?? "span", { className: entity.type });
  const address = { text_link: entity.url, url: text.includes("://") ? text : `https://${text}`, email: `mailto:${text}` }[entity.type];
  if (address && SAFE.test(address)) {
    Object.assign(element, { href: address, target: "_blank", rel: "noreferrer noopener" });
  }
  if (entity.type === "pre" && entity.language) element.dataset.language = entity.language;
  if (entity.type === "spoiler") {
    Object.assign(element, { tabIndex: 0, onclick: () => element.classList.add("seen") });
    element.onkeydown = (event) => event.key === "Enter" && element.classList.add("seen");
  }
  return element;
}

/** Gives the nodes of a text; entities nest, an outer one comes first. */
export function formatted(text, entities = []) {
  const sorted = [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const root = document.createDocumentFragment();
  build(root, text, sorted, 0, text.length);
  return root;
}

function build(parent, text, entities, start, end) {
  let at = start;
  while (entities.length && entities[0].offset < end) {
    const entity = entities.shift();
    const from = Math.max(entity.offset, at);
    const to = Math.min(entity.offset + entity.length, end);
    if (to <= from) continue;
    parent.append(text.slice(at, from));
    const element = wrap(entity, text.slice(from, to));
    build(element, text, entities, from, to);
    parent.append(element);
    // A block ends its line by itself.
    at = BLOCKS.has(element.tagName) && text[to] === "\n" ? to + 1 : to;
  }
  parent.append(text.slice(at, end));
}
