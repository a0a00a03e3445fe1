// How everything looks: colours, sizes and fonts as custom properties, for light and dark.
//
// Custom properties reach into every shadow root, so only these are set on the document. Text on
// its ground has a contrast of 4.5 at least, what can be pressed is 44 px high at least. One accent;
// red is kept for what is dangerous or went wrong. Imports lit alone.

import { css } from "lit";

export const tokens = css`
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
`;
