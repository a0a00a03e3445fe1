/** What is in a template: the markup, which is ours, and the values, which Lit makes text of. */
import assert from "node:assert/strict";

interface Template {
  strings: readonly string[];
  values: readonly unknown[];
}

interface Directive {
  _$litDirective$: unknown;
  values: readonly unknown[];
}

export interface Parts {
  markup: string[];
  texts: string[];
  /** How many directives there are: they may do anything with their values. */
  directives: number;
}

/** What shows nothing by itself: listeners, numbers, properties. */
const MUTE = new Set(["symbol", "number", "boolean", "function", "undefined", "object"]);

const isTemplate = (value: unknown): value is Template =>
  typeof value === "object" && value !== null && "strings" in value && "values" in value;
const isDirective = (value: unknown): value is Directive =>
  typeof value === "object" && value !== null && "_$litDirective$" in value;

/** Returns everything in templates, however deep. */
export function parts(value: unknown, found: Parts = { markup: [], texts: [], directives: 0 }): Parts {
  if (Array.isArray(value)) {
    for (const each of value) parts(each, found);
  } else if (isTemplate(value)) {
    found.markup.push(...value.strings);
    for (const each of value.values) parts(each, found);
  } else if (isDirective(value)) {
    found.directives += 1;
    for (const each of value.values) parts(typeof each === "function" ? each() : each, found);
  } else if (typeof value === "string") {
    found.texts.push(value);
  } else {
    assert.ok(MUTE.has(typeof value), `a value of another kind: ${typeof value}`);
  }
  return found;
}
