/** An error whose message is shown to the user. */
export class Problem extends Error {
  /** @param code the API's error code, where the API returned an error */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

interface Envelope {
  data?: unknown;
  error?: { code?: string; message?: string };
}

/** Sends JSON to the API of this site. @returns the response's data. @throws Problem */
export async function post<Data>(path: string, body: object): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-CMS-Request': '1' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Problem('The site does not respond. Check your connection and try again.');
  }
  const envelope = (await response.json().catch(() => ({}))) as Envelope;
  if (!response.ok) {
    const { code, message = 'This did not work. Try again' } = envelope.error ?? {};
    throw new Problem(sentence(message), code);
  }
  return envelope.data as Data;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
