const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlPart = string | Html | readonly Html[] | undefined;

/** HTML with everything that is put into it escaped, for quoted attributes too, but for other HTML. */
export function html(fixed: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(fixed.map((text, place) => text + written(parts[place])).join(''));
}

function written(part: HtmlPart): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  return part.map(({ text }) => text).join('');
}
