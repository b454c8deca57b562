import type { ApiResponse, Client } from '@quire/testing';

/** A redirect created for a test. */
export interface Rule {
  id: string;
  source: string;
  createdAt: string;
}

/** Operations of an administrator on redirects. */
export interface Rules {
  create: (source: unknown, destination?: unknown, more?: object) => Promise<ApiResponse>;
  /** Creates a redirect, by default to "/new". @throws Error unless the status is 201 */
  createRule: (source: string, destination?: string, more?: object) => Promise<Rule>;
  update: (id: string, body: unknown) => Promise<ApiResponse>;
  /** Destination of a path; null without a rule. */
  destinationOf: (path: string) => Promise<string | null>;
}

export function rulesOf(admin: Client): Rules {
  const create: Rules['create'] = (source, destination = '/new', more = {}) =>
    admin.post('/redirects', { source, destination, ...more });
  return {
    create,
    createRule: async (source, destination, more) => {
      const response = await create(source, destination, more);
      return assertStatus(201, response).data as Rule;
    },
    update: (id, body) => admin.put(`/redirects/${id}`, body),
    destinationOf: async (path) => {
      const response = await admin.get(`/redirects/resolve?path=${encodeURIComponent(path)}`);
      return assertStatus(200, response).data.redirect?.destination ?? null;
    },
  };
}

function assertStatus(status: number, response: ApiResponse): ApiResponse {
  if (response.status === status) return response;
  throw new Error(`Unexpected status: ${response.status} ${JSON.stringify(response.body)}`);
}
