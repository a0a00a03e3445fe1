// Lists to choose from: radio buttons and check boxes, numbered for the keys, with room for a finger.
//
// Imports lit and `part`.

import { html, nothing } from "lit";
import type { Content, Host } from "./part.ts";

export interface Item {
  label: Content;
  /** What stands below the label. */
  more?: Content;
  isOn: boolean;
  choose: () => void;
}

export interface Listing {
  legend: Content;
  items: readonly Item[];
  /** Several may be chosen. */
  multi?: boolean;
  /** Of the inputs; labels refer to it. */
  name: string;
  /** The number of the first one, for the keys. */
  first?: number;
  describedBy?: string;
}

/** Returns a list to choose from; what is chosen is kept by whoever asks for it. */
export function listing(host: Host, what: Listing): Content {
  const first = what.first ?? 1;
  return html`<fieldset class="choices" aria-describedby=${what.describedBy ?? nothing}>
    <legend>${what.legend}</legend>
    ${what.items.map(
      (item, index) => html`<div class="choice ${item.isOn ? "on" : ""}">
        <label>
          <input
            type=${what.multi ? "checkbox" : "radio"}
            name=${what.name}
            id="${what.name}-${index}"
            .checked=${item.isOn}
            @change=${() => item.choose()}
          />
          <span class="words">${item.label}</span>${number(host, first + index)}
        </label>
        ${item.more ?? nothing}
      </div>`,
    )}
  </fieldset>`;
}

function number(host: Host, value: number): Content {
  if (!host.focused || value > 9) return nothing;
  return html`<kbd class="hint" aria-hidden="true">${value}</kbd>`;
}

/** Returns the number that a key names, -1 for other keys. */
export function digit(name: string): number {
  return /^[0-9]$/.test(name) ? Number(name) : -1;
}
