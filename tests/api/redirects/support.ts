import { afterEach } from '@jest/globals';
import { openSite, useFixture, type ApiResponse, type Client, type Site } from '@quire/testing';

/** A redirect created for a test. */
export interface Redirect {
  id: string;
  source: string;
  createdAt: string;
}

/** Redirects of a site, and the operations of its administrator on them. */
export class Redirects {
  constructor(
    readonly site: Site,
    readonly admin: Client,
  ) {}

  close(): Promise<void> {
    return this.site.close();
  }

  create(source: unknown, destination: unknown = '/new', more: object = {}): Promise<ApiResponse> {
    return this.admin.post('/redirects', { source, destination, ...more });
  }

  /** Creates a redirect. @throws Error unless the status is 201 */
  async createRule(source: string, destination?: string, more?: object): Promise<Redirect> {
    return assertStatus(201, await this.create(source, destination, more)).data as Redirect;
  }

  update(id: string, body: unknown): Promise<ApiResponse> {
    return this.admin.put(`/redirects/${id}`, body);
  }

  /** Destination of a path; null without a rule. */
  async destinationOf(path: string): Promise<string | null> {
    const response = await this.admin.get(`/redirects/resolve?path=${encodeURIComponent(path)}`);
    return assertStatus(200, response).data.redirect?.destination ?? null;
  }
}

/** Opens a site for a file; its redirects are deleted after each test. */
export function useRedirects(): Redirects {
  const redirects = useFixture(async () => {
    const site = await openSite();
    return new Redirects(site, await site.as('admin'));
  });
  afterEach(async () => {
    await redirects.site.sql('DELETE FROM redirects');
  });
  return redirects;
}

function assertStatus(status: number, response: ApiResponse): ApiResponse {
  if (response.status === status) return response;
  throw new Error(`Unexpected status: ${response.status} ${JSON.stringify(response.body)}`);
}
