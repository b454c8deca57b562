import { html, type Html } from './html.js';

/** Below this people, not programs, look at what is answered. */
export const pagesPrefix = '/_cms/admin';
const pagePaths = [pagesPrefix, '/_cms/oauth/authorize'];

/** Whether failures of a path are told as a page. */
export function isPagePath(path: string): boolean {
  return pagePaths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Where the stylesheet and the scripts of a version are. */
export function assetsPath(version: string): string {
  return `${pagesPrefix}/assets/${version}`;
}

export interface Page {
  title: string;
  /** What stands below the heading. */
  content: Html;
  /**
   * Path below which stylesheet and scripts are; what is left out is the present version, which browsers do not keep.
   */
  assets?: string;
  /** File of the module that the page runs. */
  script?: string;
  /** Who is signed in, and what else stands above the page; its look is that of a panel then. */
  bar?: Html;
}

/** Quire's mark: sheets that are folded into one another. */
export const mark = html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
  <rect width="32" height="32" rx="8" class="mark-ground" />
  <path
    class="mark-lines"
    d="M16 10.5C13.6 8.8 10.6 8 7 8v13.5c3.6 0 6.6.8 9 2.5 2.4-1.7 5.4-2.5 9-2.5V8c-3.6 0-6.6.8-9 2.5Zm0 0V24M10.5 12.6c1.2.2 2.2.5 3 .9m-3 3.3c1.2.2 2.2.5 3 .9"
  />
</svg>`;

/** A page that loads nothing but the stylesheet, the icon and its own script. */
export function page({ title, content, assets = assetsPath('present'), script, bar }: Page): string {
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${title} – Quire</title>
      <link rel="icon" type="image/svg+xml" href="${assets}/icon.svg" />
      <link rel="stylesheet" href="${assets}/styles.css" />
      ${script === undefined ? undefined : html`<script type="module" src="${assets}/${script}"></script>`}
    </head>
    <body class="${bar ? 'panel' : 'single'}">
      ${bar ?? html`<header class="brand">${mark}<span>Quire</span></header>`}
      <main id="main">
        <h1>${title}</h1>
        ${content}
      </main>
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}

/**
 * Headers of a page: it is kept nowhere, found by no search engine, stands in no frame, runs and asks for what is its
 * own alone, and its forms go where they are allowed to.
 * @param allowed whether the page has a script; sources of `form-action`, the site itself unless given
 */
export function pageHeaders({
  runsScript = false,
  forms = "'self'",
}: { runsScript?: boolean; forms?: string } = {}): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      ...(runsScript ? ["script-src 'self'", "connect-src 'self'"] : []),
      `form-action ${forms}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    // Secrets of links stand in addresses. With no-referrer browsers would send forms with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  };
}
