/** Path prefix of the pages and of the files that pages load. */
export const pagesPrefix = '/_cms/admin';

/** Paths of the pages that links and redirects lead to. */
export const pagePaths = {
  home: pagesPrefix,
  panel: `${pagesPrefix}/panel`,
  login: `${pagesPrefix}/login`,
  setup: `${pagesPrefix}/setup`,
  setupAccount: `${pagesPrefix}/setup/account`,
  invite: `${pagesPrefix}/invite/accept`,
  signup: `${pagesPrefix}/signup`,
  device: `${pagesPrefix}/device`,
  transfer: `${pagesPrefix}/settings/transfer`,
  consent: '/_cms/oauth/authorize',
} as const;

const prefixes = [pagesPrefix, pagePaths.consent];

/** Whether a path is a page: its errors are rendered as pages, and its forms need a CSRF token. */
export function isPagePath(path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** @returns the path of the login page. @param redirect path to return to after the sign-in */
export function loginPath(redirect: string): string {
  return `${pagePaths.login}?redirect=${encodeURIComponent(redirect)}`;
}

/** @returns the path of the login page for a signed-in user who has to authenticate again. @param redirect as above */
export function reauthenticationPath(redirect: string): string {
  return `${pagePaths.login}?again=1&redirect=${encodeURIComponent(redirect)}`;
}

/** @returns the path below which the stylesheet and the scripts of a version are served. */
export function assetsPath(version: string): string {
  return `${pagesPrefix}/assets/${version}`;
}
