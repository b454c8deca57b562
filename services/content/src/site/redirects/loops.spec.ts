import { describe, expect, it } from '@jest/globals';
import { findLoopingRules } from './loops.js';
import { planRule, type Rule } from './rules.js';

type Planned = [source: string, destination: string, type?: number];

const plan = ([source, destination, type = 301]: Planned): Rule => ({
  id: source,
  ...planRule({ source, destination, type }),
});

/** The sources of the rules that loop. */
async function looping(...rules: Planned[]): Promise<string[]> {
  return [...(await findLoopingRules(rules.map(plan)))].sort();
}

describe('loops of rules (contract 23)', () => {
  it('are not reported if every path ends', async () => {
    expect(await looping(['/a', '/b'], ['/b', '/c'], ['/c', '/d'], ['/x', '/b'])).toEqual([]);
    expect(await looping(['/blog/[a]', '/articles/[a]'], ['/articles/first', '/first'])).toEqual([]);
    expect(await looping(['/x/[...rest]', '/[...rest]'], ['/start', '/x/x/y'])).toEqual([]);
  });

  it('go through chains; a rule that only leads into a loop is no part of it', async () => {
    expect(await looping(['/a', '/b'], ['/b', '/c?x=1#y'], ['/c', '/a'], ['/in', '/a'])).toEqual([
      '/a',
      '/b',
      '/c',
    ]);
  });

  it('end at a rule of type 410', async () => {
    expect(await looping(['/a', '/b'], ['/b', '/a', 410])).toEqual([]);
  });

  it('are detected between a path and the same path with a query', async () => {
    expect(await looping(['/a', '/a?x=1'])).toEqual(['/a']);
  });

  it('are detected between patterns', async () => {
    expect(await looping(['/a/[x]', '/b/[x]'], ['/b/[y]', '/a/[y]'])).toEqual(['/a/[x]', '/b/[y]']);
    expect(await looping(['/[...rest]', '/closed'])).toEqual(['/[...rest]']);
  });

  it('are detected when a single path returns to itself through patterns', async () => {
    expect(await looping(['/a/[x]', '/b/[x]'], ['/b/first', '/a/first'])).toEqual(['/a/[x]', '/b/first']);
  });

  it('are detected when paths keep growing', async () => {
    expect(await looping(['/a/[...rest]', '/a/b/[...rest]'])).toEqual(['/a/[...rest]']);
    expect(await looping(['/a/[x]', '/a/[x][x]'])).toEqual(['/a/[x]']);
  });
});

describe('loops that only some values of patterns run into', () => {
  it.each<[string, ...Planned[]]>([
    ['of two patterns', ['/a/p/[y]', '/b/p/[y]'], ['/b/[x]/q', '/a/[x]/q']],
    [
      'of three, each with a text of its own',
      ['/a/p/[y]/[z]', '/b/p/[y]/[z]'],
      ['/b/[x]/q/[z]', '/c/[x]/q/[z]'],
      ['/c/[x]/[y]/r', '/a/[x]/[y]/r'],
    ],
    ['where values change their places', ['/a/p/[y]', '/b/[y]/p'], ['/b/q/[x]', '/a/[x]/q']],
    ['of a rest and a name', ['/a/p/[...rest]', '/b/p/[...rest]'], ['/b/[x]/q', '/a/[x]/q']],
    ['of a rest and two names', ['/a/p/[...rest]', '/b/p/[...rest]'], ['/b/[x]/[y]/q', '/a/[x]/[y]/q']],
    ['of two rests', ['/a/p/[...rest]', '/b/p/[...rest]'], ['/b/[x]/q/[...rest]', '/a/[x]/q/[...rest]']],
    ['of a rest that goes on', ['/a/p/[...rest]', '/b/p/[...rest]/z'], ['/b/[x]/q/r/z', '/a/[x]/q/r']],
    ['of a text around a value', ['/a/p/[y]', '/b/p/old-[y]'], ['/b/[x]/old-q', '/a/[x]/q']],
    [
      'beside a more particular pattern that leads out',
      ['/a/p/[y]', '/b/p/[y]'],
      ['/b/[x]/q', '/a/[x]/q'],
      ['/b/p/r', '/out'],
    ],
  ])('are detected: %s', async (_, ...rules) => {
    const sources = rules.map(([source]) => source).filter((source) => source !== '/b/p/r');
    expect(await looping(...rules)).toEqual(sources.sort());
  });

  it('are not reported if another rule takes the path that would close them', async () => {
    const open: Planned[] = [
      ['/a/p/[y]', '/b/p/[y]'],
      ['/b/[x]/q', '/a/[x]/q'],
    ];
    expect(await looping(...open, ['/b/p/q', '/out'])).toEqual([]);
    expect(await looping(...open, ['/a/p/q', '', 410])).toEqual([]);
    expect(await looping(['/a/p/[y]', '/b/p/[y]'], ['/b/[x]/q', '/c/[x]/q'])).toEqual([]);
  });

  it('are searched for with bounded work if patterns keep removing segments', async () => {
    const languages = Array.from({ length: 40 }, (_, index) => `l${index}`);
    const shortening = languages.map((name): Planned => [`/old/${name}/[...rest]`, '/old/[...rest]']);
    expect(await looping(...shortening)).toEqual([]);
    // The bound is a number of steps, which take seconds on a busy machine.
  });
});

describe('many rules', () => {
  it('yield to the event loop while they are followed', async () => {
    const rules = Array.from({ length: 2_000 }, (_, index) => plan([`/old-${index}`, `/new-${index}`]));
    let others = 0;
    const other = () => {
      others += 1;
      running = setImmediate(other);
    };
    let running = setImmediate(other);
    await findLoopingRules(rules);
    clearImmediate(running);
    expect(others).toBeGreaterThan(10);
  });
});
