import { createHash } from 'node:crypto';
import { apiPrefix } from '@quire/http-server';
import { escapeHtml } from '../html/index.js';

const style = `
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 24rem; padding: 1.5rem; text-align: center; }
button { font: inherit; padding: 0.6rem 1.5rem; cursor: pointer; }
`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** The page loads nothing, runs nothing, is framed by nobody, and sends its form to this site alone. */
export const confirmationHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
  // The link stands in the address. With no-referrer browsers would send the form with `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
} as const;

/** The page on which somebody says that he, not a scanner of links, followed the link. */
export function confirmationPage(fields: {
  token: string;
  redirect: string | undefined;
  csrf: string;
}): string {
  const inputs = Object.entries(fields).map(([name, value]) =>
    value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sign in</h1>
<p>Select Continue to sign in with your link.</p>
<form method="post" action="${apiPrefix}/auth/magic-link/verify">
${inputs.join('')}
<button type="submit">Continue</button>
</form>
</main>
</body>
</html>
`;
}
