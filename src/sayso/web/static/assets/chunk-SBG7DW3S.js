import{a as e}from"./chunk-5HEKNUVO.js";var r=e`
  :root {
    color-scheme: light dark;

    --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
    --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
    --size-s: 0.8125rem;
    --size: 0.9375rem;
    --size-l: 1.0625rem;
    --size-xl: 1.375rem;

    --gap-s: 0.375rem;
    --gap: 0.75rem;
    --gap-l: 1.25rem;
    --radius: 0.625rem;
    --radius-s: 0.375rem;
    --touch: 2.75rem;
    --measure: 46rem;
    --safe-top: env(safe-area-inset-top, 0px);
    --safe-bottom: env(safe-area-inset-bottom, 0px);
    --safe-left: env(safe-area-inset-left, 0px);
    --safe-right: env(safe-area-inset-right, 0px);

    --ground: #f4f5f4;
    --surface: #ffffff;
    --sunken: #eceeed;
    --line: #dadfdd;
    --line-strong: #7c8784;
    --text: #1a2120;
    --text-soft: #55605d;

    --accent: #0b6660;
    --accent-hover: #08534e;
    --on-accent: #ffffff;
    --accent-soft: #dfefec;
    --on-accent-soft: #0a4f4a;

    --danger: #b3261e;
    --danger-hover: #93190f;
    --on-danger: #ffffff;
    --danger-soft: #fbe9e7;
    --on-danger-soft: #8a1a12;

    --code-ground: #f6f7f6;
    --added: #dff3e4;
    --on-added: #10512a;
    --removed: #fbe3e1;
    --on-removed: #821b14;
    --mark: #fff0c2;
    --on-mark: #5c4300;

    --syntax-keyword: #7a2e8e;
    --syntax-string: #1d6434;
    --syntax-number: #8a4b00;
    --syntax-comment: #5b6663;
    --syntax-name: #0b5394;
    --syntax-type: #0b6660;
    --syntax-meta: #6b4f00;

    --shadow: 0 1px 2px rgb(20 30 28 / 8%), 0 1px 6px rgb(20 30 28 / 5%);
    --shadow-high: 0 10px 40px rgb(20 30 28 / 24%);
    --veil: rgb(16 22 21 / 45%);
  }

  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #101413;
      --surface: #181d1c;
      --sunken: #0b0e0d;
      --line: #2c3432;
      --line-strong: #7e8986;
      --text: #e6ebe9;
      --text-soft: #a3aeab;

      --accent: #6fc9bf;
      --accent-hover: #8fd9d0;
      --on-accent: #06231f;
      --accent-soft: #17332f;
      --on-accent-soft: #a5e0d8;

      --danger: #f2938b;
      --danger-hover: #f7b0aa;
      --on-danger: #380905;
      --danger-soft: #3a1714;
      --on-danger-soft: #f7b8b2;

      --code-ground: #121615;
      --added: #12321f;
      --on-added: #a9e3bd;
      --removed: #3b1613;
      --on-removed: #f5b6b0;
      --mark: #3d3108;
      --on-mark: #f3d98b;

      --syntax-keyword: #d7a3e6;
      --syntax-string: #97d3a9;
      --syntax-number: #e8b878;
      --syntax-comment: #8f9a97;
      --syntax-name: #8fbff0;
      --syntax-type: #6fc9bf;
      --syntax-meta: #d9c072;

      --shadow: 0 1px 2px rgb(0 0 0 / 40%);
      --shadow-high: 0 12px 48px rgb(0 0 0 / 60%);
      --veil: rgb(0 0 0 / 60%);
    }
  }

  @media (prefers-contrast: more) {
    :root {
      --line: var(--line-strong);
      --text-soft: var(--text);
    }
  }

  html {
    background: var(--ground);
    color: var(--text);
    font: var(--size) / 1.5 var(--sans);
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }

  @media (min-width: 48rem) {
    html {
      overflow-y: scroll; /* so that nothing moves aside when what is shown grows */
    }
  }

  body {
    margin: 0;
    min-width: 20rem;
    overflow-wrap: anywhere;
  }
`;var n=e`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
    min-width: 0;
    overflow-wrap: anywhere;
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd,
  figure,
  fieldset {
    margin: 0;
    padding: 0;
  }

  ul,
  ol {
    list-style: none;
  }

  fieldset {
    border: 0;
    min-width: 0;
  }

  h1 {
    font-size: var(--size-xl);
    line-height: 1.25;
  }

  h2 {
    font-size: var(--size-l);
    line-height: 1.3;
  }

  h3 {
    font-size: var(--size);
  }

  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }

  code,
  kbd,
  pre {
    font-family: var(--mono);
    font-size: 0.92em;
  }

  kbd {
    display: inline-block;
    min-width: 1.6em;
    padding: 0 0.35em;
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background: var(--sunken);
    text-align: center;
    white-space: nowrap;
  }

  .soft {
    color: var(--text-soft);
  }

  .small {
    font-size: var(--size-s);
  }

  .loud {
    color: var(--danger);
    font-weight: 600;
  }

  .sr {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }

  @media (prefers-reduced-motion: no-preference) {
    button,
    .moves {
      transition:
        background-color 0.12s,
        border-color 0.12s;
    }
  }
`,s=e`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-height: var(--touch);
    min-width: var(--touch);
    padding: 0.4em 1em;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    font-weight: 600;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
    overflow-wrap: anywhere;
    cursor: pointer;
    touch-action: manipulation;
    -webkit-tap-highlight-color: transparent;
  }

  button:hover,
  .button:hover {
    background: var(--sunken);
  }

  button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
  }

  button.primary:hover {
    border-color: var(--accent-hover);
    background: var(--accent-hover);
  }

  button.danger {
    border-color: var(--danger);
    color: var(--danger);
  }

  button.danger:hover {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }

  button.danger.sure {
    background: var(--danger);
    color: var(--on-danger);
  }

  button.quiet {
    border-color: transparent;
    background: transparent;
    color: var(--text-soft);
  }

  button.quiet:hover {
    background: var(--sunken);
    color: var(--text);
  }

  button.wide {
    flex: 1 1 8rem;
  }

  button:disabled,
  button[aria-disabled="true"] {
    border-color: var(--line);
    background: var(--sunken);
    color: var(--text-soft);
    cursor: not-allowed;
  }

  button.quiet:disabled,
  button.quiet[aria-disabled="true"] {
    border-color: transparent;
    background: transparent;
    opacity: 0.6;
  }
`,i=e`
  input[type="text"],
  input[type="number"],
  input[type="search"],
  input:not([type]),
  select,
  textarea {
    width: 100%;
    min-height: var(--touch);
    padding: 0.5em 0.75em;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-s);
    background: var(--surface);
    color: var(--text);
    font: inherit;
    /* Below 16 px a phone zooms in on whoever types. */
    font-size: max(1rem, var(--size));
  }

  textarea {
    min-height: 5.5rem;
    resize: vertical;
  }

  input:disabled,
  select:disabled,
  textarea:disabled {
    background: var(--sunken);
    color: var(--text-soft);
  }

  input[type="radio"],
  input[type="checkbox"] {
    width: 1.25rem;
    height: 1.25rem;
    margin: 0;
    flex: none;
    accent-color: var(--accent);
  }

  label {
    display: block;
  }
`,d=e`
  .panel {
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    padding: var(--gap-l);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--gap);
  }

  .stack {
    display: flex;
    flex-direction: column;
    gap: var(--gap);
  }

  .badge {
    display: inline-flex;
    align-items: center;
    padding: 0.1em 0.55em;
    border-radius: 1em;
    background: var(--sunken);
    color: var(--text-soft);
    font-size: var(--size-s);
    font-weight: 600;
    line-height: 1.5;
    white-space: nowrap;
  }

  .badge.live {
    background: var(--accent-soft);
    color: var(--on-accent-soft);
  }

  .badge.alarm {
    background: var(--danger-soft);
    color: var(--on-danger-soft);
  }
`;export{r as a,n as b,s as c,i as d,d as e};
