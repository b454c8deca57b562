import type { ApiResponse, Client } from './client.js';
import type { Site } from './open-site.js';

/** A browser without scripts: it stores cookies, and sends the forms of the current page. */
export class PageBrowser {
  private readonly cookies = new Map<string, string>();
  private readonly client: Client;
  /** Text of the current page. */
  page = '';
  private path = '';

  constructor(
    private readonly site: Site,
    session?: string,
  ) {
    this.client = site.anonymous();
    if (session !== undefined) this.cookies.set('cms_session', session);
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  /** Opens a path of the site; redirects are not followed. */
  async open(path: string): Promise<ApiResponse> {
    return this.keep(path, await this.client.get(path, { headers: this.headers() }));
  }

  /**
   * Sends the form of the page that has a button of this value, or the only one.
   * @param fields replace the form's values; undefined leaves a field out
   */
  async send(
    fields: Record<string, string | undefined> = {},
    { headers = {} }: { headers?: Record<string, string | undefined> } = {},
  ): Promise<ApiResponse> {
    const forms = [...this.page.matchAll(/<form\s([^>]*)>([^]*?)<\/form>/g)];
    const { action } = fields;
    const form =
      forms.find(([, , inner = '']) => action !== undefined && inner.includes(`value="${action}"`)) ??
      forms.find(([, attributes = '']) => attributes.includes('action='));
    if (!form) throw new Error(`There is no form on this page: ${this.page}`);
    const formFields = [...(form[2] ?? '').matchAll(/<input\s([^>]*)>/g)].map(([, attributes = '']) => [
      attribute(attributes, 'name'),
      attribute(attributes, 'value'),
    ]);
    const all = { ...(Object.fromEntries(formFields) as Record<string, string>), ...fields };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const path = attribute(form[1] ?? '', 'action') || this.path;
    const response = await this.client.post(path, undefined, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://${this.site.host}`,
        ...this.headers(),
        ...headers,
      },
      rawBody: new URLSearchParams(given).toString(),
    });
    return this.keep(path, response);
  }

  private headers(): Record<string, string | undefined> {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return { cookie: pairs.length > 0 ? pairs.join('; ') : undefined };
  }

  private keep(path: string, response: ApiResponse): ApiResponse {
    for (const cookie of response.setCookies) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    if (typeof response.body === 'string' && response.body !== '') this.page = response.body;
    this.path = path;
    return response;
  }
}

function attribute(attributes: string, name: string): string {
  const text = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
