/** Paths below this are pages and the files that pages load. */
export const pagesPrefix = '/_cms/admin';

/** Paths of the pages that other pages, mails and redirects lead to. */
export const pagePaths = {
  home: pagesPrefix,
  login: `${pagesPrefix}/login`,
  setup: `${pagesPrefix}/setup`,
  setupAccount: `${pagesPrefix}/setup/account`,
  invite: `${pagesPrefix}/invite/accept`,
  signup: `${pagesPrefix}/signup`,
  device: `${pagesPrefix}/device`,
  consent: '/_cms/oauth/authorize',
} as const;

const prefixes = [pagesPrefix, pagePaths.consent];

/** Whether people open a path in a browser: its errors are pages, and its forms are guarded by form tokens. */
export function isPagePath(path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
}

/** Returns the login page's path. @param redirect path to return to after the sign-in */
export function loginPath(redirect: string): string {
  return `${pagePaths.login}?redirect=${encodeURIComponent(redirect)}`;
}

/** Returns the login page's path for a user who is signed in and has to prove it again. @param redirect as above */
export function reauthenticationPath(redirect: string): string {
  return `${pagePaths.login}?again=1&redirect=${encodeURIComponent(redirect)}`;
}

/** Path below which the stylesheet and the scripts of a version are served. */
export function assetsPath(version: string): string {
  return `${pagesPrefix}/assets/${version}`;
}
