import { currentAssetsPath, html, pagePaths } from '@quire/ui';
import type { PanelFiles } from './panel-files.js';

/** Path below which the files of a build of the panel are served. */
export function panelAssetsPath(build: string): string {
  return `${pagePaths.panel}/assets/${build}`;
}

/**
 * Renders the page that starts the panel, at every path of the panel. Texts are in English: the script selects the
 * language.
 * @param nonce of the response's policy, for the one style element that React Aria adds
 */
export function renderIndexPage({ build, script, styles, preloaded }: PanelFiles, nonce: string): string {
  const assets = panelAssetsPath(build);
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <meta property="csp-nonce" nonce="${nonce}" />
      <title>Admin panel – Quire</title>
      <link rel="icon" type="image/svg+xml" href="${currentAssetsPath()}/icon.svg" />
      ${styles.map((name) => html`<link rel="stylesheet" href="${assets}/${name}" />`)}
      ${preloaded.map((name) => html`<link rel="modulepreload" href="${assets}/${name}" />`)}
      <script type="module" src="${assets}/${script}"></script>
    </head>
    <body data-base="${pagePaths.panel}">
      <div id="panel"></div>
      <noscript>
        <p>
          The admin panel needs JavaScript. <a href="${pagePaths.home}">Your account</a> works without it.
        </p>
      </noscript>
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}

/** Response headers of that page: like those of other pages, but it may run the panel (Trusted Types included). */
export function indexPageHeaders(nonce: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  };
}
