/** Cookies that services other than auth read. */
const cookiesOf: Readonly<Record<string, RegExp>> = {
  content: /^(__Host-)?cms_commenter=/,
};

/** Of a Cookie header, the cookies that a service is to see; undefined where there are none. */
export function cookiesFor(service: string, header: string | undefined): string | undefined {
  const own = cookiesOf[service];
  if (own === undefined || header === undefined) return undefined;
  const kept = header.split(';').filter((cookie) => own.test(cookie.trim()));
  return kept.length === 0 ? undefined : kept.map((cookie) => cookie.trim()).join('; ');
}
