const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text in HTML. */
export class Html {
  constructor(readonly text: string) {}
}

/** A value in a template; `undefined` inserts nothing. */
export type HtmlValue = string | Html | readonly Html[] | undefined;

/** Template tag for HTML. Strings are escaped, also for quoted attributes; `Html` values are inserted unchanged. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(strings.map((text, index) => text + toText(values[index])).join(''));
}

function toText(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  return value.map(({ text }) => text).join('');
}
