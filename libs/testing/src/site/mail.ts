/** A parsed mail. */
export interface ReceivedMail {
  /** Header lines by their name in lower case; the last of repeated ones. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** The link in the text. */
  link: string;
}

/** Parses a mail with a text and an HTML part. @throws Error without these parts */
export function readMail(raw: string): ReceivedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new Error('The mail has no parts');
  const parts = body.split(`--${boundary}`).map((part) => split(part.trimStart()));
  const partOf = (type: string) => {
    const part = parts.find(({ headers: { 'content-type': found = '' } }) => found.startsWith(type));
    if (!part) throw new Error(`The mail has no part ${type}`);
    return decoded(part.body, part.headers['content-transfer-encoding'] ?? '');
  };
  const text = partOf('text/plain');
  return { headers, text, html: partOf('text/html'), link: /https?:\/\/\S+/.exec(text)?.[0] ?? '' };
}

function split(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: raw.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  return decodeURIComponent(
    body
      .replaceAll('=\r\n', '')
      .replaceAll('%', '%25')
      .replaceAll(/=([0-9A-F]{2})/g, '%$1'),
  );
}
