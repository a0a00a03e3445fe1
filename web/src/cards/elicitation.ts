// What a server asks for through the agent: a form to fill in, or a link to open.
//
// Declining says no to the server; cancelling says nothing. Imports lit, its neighbours and `text`.

import { html, nothing, type TemplateResult } from "lit";
import type { Field } from "../api/types.ts";
import { block, prose } from "../text/block.ts";
import { isFollowable } from "../text/follow.ts";
import { whole } from "../text/lines.ts";
import { inline, inlineCode, visible } from "../text/visible.ts";
import { type Content, type Host, Part, pressing, problemOf } from "./part.ts";
import * as replies from "./replies.ts";
import { takes, valueWords } from "./words.ts";

/** More choices than this become a list that unfolds. */
const MOST_RADIOS = 8;

interface Option {
  value: string | boolean | null;
  label: Content;
}

export class Elicitation extends Part {
  private readonly typed = new Map<string, replies.Typed>();

  constructor(host: Host) {
    super(host);
    for (const field of host.view.fields ?? []) this.typed.set(field.name, replies.initial(field));
  }

  /** The address stands in the body already, in full. */
  override get ownRow(): number {
    return this.view.url ? this.view.input.findIndex((row) => row.value === this.view.url) : -1;
  }

  override body(): Content {
    if (this.view.url) return this.link(this.view.url);
    const fields = this.view.fields ?? [];
    return html`<div class="form">${fields.map((field, index) => this.field(field, index))}</div>`;
  }

  // --- a link -------------------------------------------------------------------------------

  private link(url: string): Content {
    const open = isFollowable(url)
      ? html`<a class="button" href=${url} target="_blank" rel="noopener noreferrer">Open it in a new tab</a>`
      : html`<p class="loud small">It is not followed from here: copy it if you trust it.</p>`;
    return html`<p class="strong">It asks you to open this address:</p>
      <div class="address">${block(whole(url))}</div>
      ${host(url)}
      <div class="buttons">${open}</div>`;
  }

  // --- a form -------------------------------------------------------------------------------

  private field(field: Field, index: number): Content {
    const title = inline(field.title || field.name);
    const called =
      field.title && field.title !== field.name
        ? html` <span class="soft">[${inlineCode(field.name)}]</span>`
        : nothing;
    const need = field.required ? "required" : "optional";
    const name = html`<span class="strong">${title}</span>${called}
      <span class="soft small">${takes(field)}, ${need}</span>`;
    const problem = problemOf(this.host, `content.${field.name}`, `problem-${index}`);
    const isWrong = this.host.problem?.field === `content.${field.name}`;
    const standard =
      field.default != null
        ? html`<p class="soft small">Its default: ${inline(valueWords(field.default))}</p>`
        : nothing;
    const help = html`<div id="help-${index}">
      ${field.description ? html`<div class="soft">${prose(field.description)}</div>` : nothing}
      ${standard}
    </div>`;
    return html`<div class="field">
      ${this.input(field, index, name, isWrong)}${help}${isWrong ? problem : nothing}
    </div>`;
  }

  private input(field: Field, index: number, name: TemplateResult, isWrong: boolean): Content {
    switch (field.type ?? "string") {
      case "boolean":
        return this.radios(field, index, name, [
          { value: true, label: "Yes" },
          { value: false, label: "No" },
        ]);
      case "choice":
        return this.choice(field, index, name);
      case "choices":
        return this.choices(field, index, name);
      default:
        return this.text(field, index, name, isWrong);
    }
  }

  private set(field: Field, value: replies.Typed): void {
    this.typed.set(field.name, value);
    this.host.refresh();
  }

  private text(field: Field, index: number, name: TemplateResult, isWrong: boolean): Content {
    const value = this.typed.get(field.name);
    const isNumber = field.type === "integer" || field.type === "number";
    const mode = isNumber ? (field.type === "integer" ? "numeric" : "decimal") : modeOf(field.format);
    return html`<label for="field-${index}">${name}</label>
      <input
        id="field-${index}"
        type="text"
        inputmode=${mode}
        dir="auto"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-required=${field.required ? "true" : "false"}
        aria-invalid=${isWrong ? "true" : "false"}
        aria-describedby="help-${index} problem-${index}"
        .value=${typeof value === "string" ? value : ""}
        @input=${(event: InputEvent) => this.set(field, (event.target as HTMLInputElement).value)}
      />`;
  }

  private radios(field: Field, index: number, name: TemplateResult, items: readonly Option[]): Content {
    const chosen = this.typed.get(field.name) ?? null;
    const none: Option[] = field.required
      ? []
      : [{ value: null, label: html`<span class="soft">no answer</span>` }];
    return html`<fieldset class="choices" aria-describedby="help-${index}">
      <legend>${name}</legend>
      ${[...items, ...none].map(
        (item, place) => html`<div class="choice ${item.value === chosen ? "on" : ""}"><label>
          <input
            type="radio"
            id=${place === 0 ? `field-${index}` : nothing}
            name="field-${index}"
            .checked=${item.value === chosen}
            @change=${() => this.set(field, item.value)}
          /><span class="words">${item.label}</span>
        </label></div>`,
      )}
    </fieldset>`;
  }

  private choice(field: Field, index: number, name: TemplateResult): Content {
    const all = field.choices ?? [];
    if (all.length <= MOST_RADIOS) {
      return this.radios(
        field,
        index,
        name,
        all.map((choice) => ({ value: choice.value, label: labelOf(choice) })),
      );
    }
    const options = all.map((choice) => ({ value: choice.value, label: visible(plainLabel(choice)) }));
    const chosen = this.typed.get(field.name) ?? "";
    const change = (event: Event) => {
      const at = (event.target as HTMLSelectElement).selectedIndex - 1;
      this.set(field, options[at]?.value ?? null);
    };
    return html`<label for="field-${index}">${name}</label>
      <select id="field-${index}" aria-describedby="help-${index} problem-${index}" @change=${change}>
        <option ?selected=${chosen === ""}>(choose)</option>
        ${options.map((option) => html`<option ?selected=${option.value === chosen}>${option.label}</option>`)}
      </select>`;
  }

  private choices(field: Field, index: number, name: TemplateResult): Content {
    const value = this.typed.get(field.name);
    const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
    const toggle = (one: string) => {
      if (!chosen.delete(one)) chosen.add(one);
      // In the order of the form, whatever the order of the clicks.
      this.set(
        field,
        (field.choices ?? []).map((choice) => choice.value).filter((each) => chosen.has(each)),
      );
    };
    return html`<fieldset class="choices" aria-describedby="help-${index}">
      <legend>${name}</legend>
      ${(field.choices ?? []).map(
        (choice, place) => html`<div class="choice ${chosen.has(choice.value) ? "on" : ""}"><label>
          <input
            type="checkbox"
            id=${place === 0 ? `field-${index}` : nothing}
            .checked=${chosen.has(choice.value)}
            @change=${() => toggle(choice.value)}
          /><span class="words">${labelOf(choice)}</span>
        </label></div>`,
      )}
    </fieldset>`;
  }

  // --- answering ----------------------------------------------------------------------------

  override actions(): Content {
    const elsewhere = this.host.problem?.field.startsWith("content.") ? nothing : problemOf(this.host, "");
    return html`${elsewhere}
      <div class="buttons">
        ${pressing(this.host, {
          label: this.view.url ? "Accept: I will open it" : "Send the form",
          press: () => this.accept(),
          style: "primary wide",
          keys: "a",
          allows: true,
          id: "yes",
        })}
        ${pressing(this.host, {
          label: "Decline",
          press: () => this.decline(),
          style: "danger",
          keys: "d",
          id: "no",
        })}
        ${pressing(this.host, {
          label: "Cancel",
          press: () => this.cancel(),
          style: "quiet",
          keys: "c",
          id: "cancel",
        })}
      </div>`;
  }

  private accept(): void {
    const isSent = this.host.send(() => replies.accept(this.view, this.typed));
    const wrong = (this.view.fields ?? []).findIndex(
      (field) => this.host.problem?.field === `content.${field.name}`,
    );
    if (!isSent && wrong >= 0) this.host.focusOn(`#field-${wrong}`);
  }

  private decline(): void {
    this.host.send(() => replies.deny(this.view));
  }

  private cancel(): void {
    this.host.send(() => replies.cancel(this.view));
  }

  override key(name: string): boolean {
    if (name === "a") {
      if (this.host.lock) this.host.reveal();
      // A form is sent by its button: a key pressed on the way to a field would send it half filled in.
      else if (this.view.url) this.accept();
      else this.host.focusOn("#yes");
    } else if (name === "d") this.host.focusOn("#no");
    else if (name === "c") this.host.focusOn("#cancel");
    else return false;
    return true;
  }
}

/** Returns what an address is on: the part of it that says whom one talks to. */
function host(url: string): Content {
  if (!URL.canParse(url)) return nothing;
  return html`<p>The address is on <strong>${inlineCode(new URL(url).host)}</strong>.</p>`;
}

function labelOf(choice: { value: string; label?: string }): Content {
  const isNamed = choice.label && choice.label !== choice.value;
  return isNamed
    ? html`${inline(choice.label ?? "")} <span class="soft">[${inlineCode(choice.value)}]</span>`
    : inline(choice.value);
}

/** Returns a choice as a list that unfolds can show it: as text alone. */
function plainLabel(choice: { value: string; label?: string }): string {
  return choice.label && choice.label !== choice.value ? `${choice.label} [${choice.value}]` : choice.value;
}

function modeOf(format: string | undefined): string {
  return format === "email" ? "email" : format === "uri" ? "url" : "text";
}
