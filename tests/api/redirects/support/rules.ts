import type { ApiResponse, Client } from '@quire/testing';

/** A redirect that was made for a test. */
export interface Rule {
  id: string;
  source: string;
  createdAt: string;
}

/** What an administrator does with redirects. */
export interface Rules {
  create: (source: unknown, destination?: unknown, more?: object) => Promise<ApiResponse>;
  /** Creates with success; without a word it leads to "/new". */
  make: (source: string, destination?: string, more?: object) => Promise<Rule>;
  update: (id: string, body: unknown) => Promise<ApiResponse>;
  /** Where a path leads; null for nowhere. */
  destinationOf: (path: string) => Promise<string | null>;
}

export function rulesOf(admin: Client): Rules {
  const create: Rules['create'] = (source, destination = '/new', more = {}) =>
    admin.post('/redirects', { source, destination, ...more });
  return {
    create,
    make: async (source, destination, more) => {
      const answer = await create(source, destination, more);
      return assertStatus(201, answer).data as Rule;
    },
    update: (id, body) => admin.put(`/redirects/${id}`, body),
    destinationOf: async (path) => {
      const answer = await admin.get(`/redirects/resolve?path=${encodeURIComponent(path)}`);
      return assertStatus(200, answer).data.redirect?.destination ?? null;
    },
  };
}

function assertStatus(status: number, answer: ApiResponse): ApiResponse {
  if (answer.status === status) return answer;
  throw new Error(`Unexpected status: ${answer.status} ${JSON.stringify(answer.body)}`);
}
