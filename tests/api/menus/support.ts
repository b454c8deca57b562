import type { ApiResponse, Client } from '@quire/testing';

export interface MenuItem {
  id: string;
  label: string;
  parentId: string | null;
  sortOrder: number;
}

/** A menu of a test, with requests for its items. */
export interface TestMenu {
  name: string;
  /** "/menus/menu-1" */
  path: string;
  /** Adds an item, by default a link with the label "An item". */
  add(body?: object): Promise<ApiResponse>;
  /** Creates items: "a b>a" is `a` at the top and `b` below it. @returns their ids by label */
  createItems(text: string): Promise<Record<string, string>>;
  move(id: string | undefined, parentId: string | null | undefined): Promise<ApiResponse>;
  items(): Promise<MenuItem[]>;
  /** The tree in order: "a(b c) d". */
  renderTree(): Promise<string>;
}

/** Status and code of responses that reject a request. */
export const validationError = [400, 'VALIDATION_ERROR'];
export const notFound = [404, 'NOT_FOUND'];

let count = 0;

/** Creates an empty menu with a unique name. */
export async function createTestMenu(admin: Client): Promise<TestMenu> {
  count += 1;
  const name = `menu-${count}`;
  assertCreated(await admin.post('/menus', { name, label: 'A menu' }));
  const path = `/menus/${name}`;
  const add: TestMenu['add'] = (body = {}) =>
    admin.post(`${path}/items`, { type: 'custom', label: 'An item', ...body });
  const items = async () => (await admin.get(path)).data.items as MenuItem[];
  return {
    name,
    path,
    add,
    items,
    createItems: async (text) => {
      const ids: Record<string, string> = {};
      for (const word of text.split(' ')) {
        const [label = '', parent] = word.split('>');
        const parentId = parent === undefined ? null : ids[parent];
        ids[label] = assertCreated(await add({ label, parentId })).data.id;
      }
      return ids;
    },
    move: (id, parentId) => admin.put(`${path}/items/${id}`, { parentId }),
    renderTree: async () => renderItems(await items()),
  };
}

/** Items as a tree in order: "a(b c) d". */
export function renderItems(items: readonly MenuItem[], parentId: string | null = null): string {
  return items
    .filter((item) => item.parentId === parentId)
    .map(({ id, label }) => {
      const below = renderItems(items, id);
      return below === '' ? label : `${label}(${below})`;
    })
    .join(' ');
}

function assertCreated(response: ApiResponse): ApiResponse {
  if (response.status === 201) return response;
  throw new Error(
    `Creating the menu or its item failed: ${response.status} ${JSON.stringify(response.body)}`,
  );
}
