import { describe, expect, it } from '@jest/globals';
import { placementIssues, placementsWithout, isOwnDescendant, type Placement } from './menu-tree.policy.js';

/** "a b>a" is a at the top and b below a, in this order. */
const tree = (text: string): Placement[] =>
  text.split(' ').map((word, sortOrder) => {
    const [id = '', parentId = null] = word.split('>');
    return { id, parentId, sortOrder };
  });
const paths = (current: string, placements: string) =>
  placementIssues(tree(current), tree(placements)).map(({ path }) => path);

describe('moving items of a menu (contract 18)', () => {
  it.each([
    ['a b c', 'c a b', []],
    ['a b', 'b>a', []],
    ['a b>a', 'b a>b', []],
    ['a b>a c>b', 'c b>c a>b', []],
    ['a b', 'x', ['items.0.id']],
    ['a b', 'a b a', ['items.2.id']],
    ['a b', 'a>x', ['items.0.parentId']],
    ['a b', 'a>a', ['items.0.parentId']],
    ['a b>a c>b', 'a>c', ['items.0.parentId']],
    ['a b', 'a>b b>a', ['items.0.parentId', 'items.1.parentId']],
    ['a b>a c>b d', 'd>c a>c', ['items.1.parentId']],
  ])('from "%s" by "%s" has issues at %j', (current, placements, expected) => {
    expect(paths(current, placements)).toEqual(expected);
  });

  it('works with a thousand levels', () => {
    const chain = new Map(Array.from({ length: 1_000 }, (_, n) => [`i${n}`, n === 0 ? null : `i${n - 1}`]));
    expect(isOwnDescendant(chain, 'i999')).toBe(false);
    expect(isOwnDescendant(chain.set('i0', 'i999'), 'i500')).toBe(true);
  });
});

describe('deleting an item (decision 34)', () => {
  it.each([
    ['a b c', 'b', ''],
    ['a b c d>b e>b', 'b', 'a d e c'],
    ['a b>a c>b d>b', 'b', 'c>a d>a'],
    ['a b>a c>b', 'a', 'b'],
  ])('of "%s", without %s, gives places "%s"', (current, id, expected) => {
    const items = tree(current);
    const removed = items.find((item) => item.id === id) as Placement;
    expect(placementsWithout(items, removed)).toEqual(expected === '' ? [] : tree(expected));
  });
});
