import type { Operator } from '@quire/tenancy';
import { html, problem, readAssets, renderPage, type Html } from '@quire/ui';

/** Paths of the operations port that need an operator; `/ops` is the overview. */
export const opsPaths = {
  home: '/ops',
  overview: '/ops/overview',
  login: '/ops/login',
  logout: '/ops/logout',
  queues: '/ops/queues',
  assets: '/ops/assets',
  api: '/ops/api',
} as const;

/** The files that pages of the operations port load: they have no scripts. */
const assetNames = ['styles.css', 'icon.svg'] as const;

const assetsPath = () => `${opsPaths.assets}/${readAssets().version}`;

/** A file that pages load, by its path; undefined for any other path. */
export function assetOf(path: string): { type: string; text: string } | undefined {
  const name = assetNames.find((each) => path === `${assetsPath()}/${each}`);
  return name === undefined ? undefined : readAssets().files.get(name);
}

/** The page with the form for a token. @param message a problem with the last token */
export function renderLoginPage(message?: string): string {
  const content = html`${message === undefined ? undefined : problem(message)}
    <form method="post" action="${opsPaths.login}">
      <div class="field">
        <label for="token">Operator token</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          maxlength="200"
          required
          autofocus
          aria-describedby="token-hint"
        />
        <p class="hint" id="token-hint">
          Created by <code>cms operator token create</code>. The session ends after 8 hours.
        </p>
      </div>
      <button class="main">Sign in</button>
    </form>`;
  return renderPage({ title: 'Operations', content, assets: assetsPath() });
}

/** A page for a signed-in operator. */
export function renderOperatorPage(operator: Operator, title: string, content: Html): string {
  const bar = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <a class="brand" href="${opsPaths.home}"><span>Quire operations</span></a>
      <div class="who">
        <a href="${opsPaths.queues}">Queues</a>
        <span class="email">${operator.name} (${operator.role})</span>
        <form method="post" action="${opsPaths.logout}"><button>Sign out</button></form>
      </div>
    </header>`;
  return renderPage({ title, content, bar, assets: assetsPath() });
}
