/**
 * Response headers of a page: it is not cached, indexed or framed, loads nothing from other origins, and sends forms
 * only to the allowed targets.
 * @param options.runsScript whether the page has a script
 * @param options.forms sources of the policy's `form-action`; the site itself by default
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
    // URLs contain secrets of links. With no-referrer, browsers send forms with `Origin: null`.
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  };
}
