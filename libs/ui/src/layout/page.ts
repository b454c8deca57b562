import { currentAssetsPath, type ScriptName } from '../assets/assets.js';
import { html, type Html } from '../html/html.js';
import { mark } from './mark.js';

/** Content of a page. */
export interface Page {
  title: string;
  /** The content below the heading. */
  content: Html;
  /** Path below which the stylesheet and the scripts are; the current version by default. */
  assets?: string;
  /** The entry module of the page. */
  script?: ScriptName | undefined;
  /** The header of a page of the admin panel; without one the page is a single card below the brand. */
  bar?: Html;
}

/** Renders a page that loads only the stylesheet, the icon and its own script. */
export function renderPage({ title, content, assets = currentAssetsPath(), script, bar }: Page): string {
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
