import { EntryDocument } from './entry-document.js';
import { contentField, propertyFields } from './entry-fields.js';
import { FakeClock } from './fake-clock.fixture.js';
import { FakeServer, type Fault } from './fake-server.fixture.js';
import { Saver, type SaverOptions } from './saver.js';

export const fields = [
  contentField({ slug: 'title', type: 'string', required: true, validation: null }),
  contentField({ slug: 'intro', type: 'text', required: false, validation: null }),
  ...propertyFields({ hasSeo: false, taxonomies: [] }),
];

/** A saver of an entry on a server, with faults for its next requests. */
export function openSaver(options: Partial<SaverOptions> & { isNew?: boolean } = {}) {
  const clock = new FakeClock();
  const server = new FakeServer(clock);
  server.addEntry('e', { title: 'Title', intro: 'intro' });
  const { isNew = false, ...more } = options;
  const document = new EntryDocument({
    fields,
    createKey: String,
    ...(isNew ? { values: new Map() } : server.version('e')),
  });
  const faults: Fault[] = [];
  const requests: string[] = [];
  let keys = 0;
  const saver = new Saver({
    document,
    clock,
    requests: server.requestsOf('me', (name) => {
      requests.push(name);
      return faults.shift();
    }),
    id: isNew ? undefined : 'e',
    userId: 'me',
    createIdempotencyKey: () => `key${(keys += 1)}`,
    saveMode: () => 'auto',
    ...more,
  });
  /** Another user saves. */
  const saveAsAnn = async (values: Record<string, unknown>) => {
    const { rev } = server.version('e');
    const ann = server.requestsOf('ann', () => undefined);
    const saved = ann.update('e', new Map(Object.entries(values)), {
      rev,
      skipRevision: false,
      keepalive: false,
    });
    await clock.advance(0);
    await saved;
  };
  const line = () => saver.getStatus().line;
  return { clock, server, document, saver, faults, requests, saveAsAnn, line };
}
