import { createToolSet } from '@quire/gateway-service';
import { createEntry, type Site } from '@quire/testing';

/** Names of the tools that the server offers, in the order of the list. */
export const toolNames: readonly string[] = JSON.parse(createToolSet({ maxUploadBytes: 1 }).listText).map(
  ({ name }: { name: string }) => name,
);

/** Creates the menu and the entry that the programs read. */
export async function addContent(site: Site): Promise<void> {
  const admin = await site.as('admin');
  await site.collection();
  const entry = await createEntry(admin, 'posts', { title: 'Hello' }, { slug: 'hello' });
  await entry.publish();
  const { status } = await admin.post('/menus', { name: 'main', label: 'Main' });
  if (status !== 201) throw new Error(`The menu was not created: ${status}`);
}
