import { describe, expect, it } from '@jest/globals';
import { actionsOf, bulkActionsOf, problemOf } from './entry-actions.js';
import type { Row } from './entry-status.js';

const row = (part: Partial<Row> = {}): Row => ({
  id: '1',
  title: 'A',
  slug: 'a',
  status: 'draft',
  isChanged: false,
  isOverdue: false,
  locale: 'en',
  translationGroup: '1',
  translations: [],
  columns: {},
  image: null,
  author: { id: 'me', name: null },
  bylines: [],
  createdAt: '',
  editedAt: '',
  publishedAt: null,
  scheduledAt: null,
  lock: null,
  ...part,
});
const caller = (role: number) => ({ userId: 'me', role });
const [contributor, author, editor, admin] = [20, 30, 40, 50].map(caller) as [
  ReturnType<typeof caller>,
  ReturnType<typeof caller>,
  ReturnType<typeof caller>,
  ReturnType<typeof caller>,
];
const names = (...input: Parameters<typeof actionsOf>) => actionsOf(...input).map(({ action }) => action);

describe('actions of an entry', () => {
  it.each<[string, Partial<Row>, string[]]>([
    ['a draft', {}, ['publish', 'schedule', 'duplicate', 'trash']],
    [
      'a scheduled entry',
      { status: 'scheduled', scheduledAt: 'x' },
      ['publish', 'schedule', 'unschedule', 'duplicate', 'trash'],
    ],
    ['a published entry', { status: 'published' }, ['unpublish', 'duplicate', 'trash']],
    [
      'a changed entry',
      { status: 'published', isChanged: true },
      ['publish', 'schedule', 'unpublish', 'duplicate', 'trash'],
    ],
    ['an entry in the trash', { deletedAt: 'x' }, ['restore']],
  ])('of %s are those of its state', (_, part, expected) => {
    expect(names(row(part), editor)).toEqual(expected);
  });

  it('depend on the role', () => {
    expect(names(row(), contributor)).toEqual([]);
    expect(names(row({ deletedAt: 'x' }), admin)).toEqual(['restore', 'delete']);
    expect(bulkActionsOf({ isTrash: true }, author)).toEqual(['restore']);
    expect(bulkActionsOf({ isTrash: false }, contributor)).toEqual([]);
  });

  it('are not possible with entries of others, and say so', () => {
    const other = row({ author: { id: 'other', name: null } });
    expect(problemOf('publish', other, author)).toBe('notOwn');
    expect(problemOf('publish', other, editor)).toBeUndefined();
    expect(problemOf('publish', row({ author: null }), author)).toBe('notOwn');
  });

  it('are not possible while another user edits the entry', () => {
    const lock = { userId: 'ann', userName: 'Ann', expiresAt: '' };
    expect(problemOf('trash', row({ lock }), editor)).toBe('locked');
    expect(problemOf('duplicate', row({ lock }), editor)).toBeUndefined();
    expect(problemOf('trash', row({ lock: { ...lock, userId: 'me' } }), editor)).toBeUndefined();
  });
});
