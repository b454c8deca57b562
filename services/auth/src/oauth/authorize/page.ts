import { createHash } from 'node:crypto';
import { html, Html } from './html.js';

const style = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1c1c1e; background: #f4f4f5; }
main { max-width: 28rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 12px; }
h1 { font-size: 1.25rem; margin-top: 0; }
ul { list-style: none; padding: 0; }
code { overflow-wrap: anywhere; }
.actions { display: flex; gap: .75rem; }
button { flex: 1; padding: .625rem; border: 1px solid #c7c7cc; border-radius: 8px; background: #fff; font: inherit; }
button.main { background: #1c1c1e; border-color: #1c1c1e; color: #fff; }
@media (prefers-color-scheme: dark) {
  body { color: #f4f4f5; background: #1c1c1e; }
  main { background: #2c2c2e; }
  button { background: #3a3a3c; color: #f4f4f5; }
  button.main { background: #f4f4f5; color: #1c1c1e; }
}`;
// The policy names the text's hash, so nothing may reformat what stands between the tags.
const styleElement = new Html(`<style>${style}</style>`);
const styleHash = createHash('sha256').update(style).digest('base64');

/** A page that works without scripts and loads nothing. */
export function page(title: string, content: Html): string {
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      ${styleElement}
    </head>
    <body>
      <main>
        <h1>${title}</h1>
        ${content}
      </main>
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}

/**
 * Headers of a page: nothing but its own style, in no frame, and its form goes where it is allowed to.
 * @param formTargets sources of `form-action`; browsers hold the redirect after a form to it too
 */
export function pageHeaders(formTargets = "'none'"): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      `form-action ${formTargets}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  };
}
