import { describe, expect, it } from '@jest/globals';
import { ProgressBar } from './progress-bar.js';

/** An output that keeps what is written to it. */
function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { written, output: { isTTY, write: (text: string) => written.push(text) } };
}

describe('ProgressBar', () => {
  it('changes one line of a terminal in place, and removes it at the end', () => {
    const { written, output } = terminal(true);
    const bar = new ProgressBar(output);
    bar.show('export', { current: 1, total: 2 });
    bar.show('export', { current: 1, total: 2 });
    bar.show('download', { current: 3, total: 3, text: '1/1 MiB' });
    bar.end();
    bar.end();
    expect(written).toEqual([
      `\r\u001b[Kexport    [${'#'.repeat(15)}${'.'.repeat(15)}] 50 % 1/2`,
      `\r\u001b[Kdownload  [${'#'.repeat(30)}] 100 % 1/1 MiB`,
      '\r\u001b[K',
    ]);
  });

  it('prints a line for each tenth without a terminal', () => {
    const { written, output } = terminal(false);
    const bar = new ProgressBar(output);
    for (const current of [0, 5, 10, 19, 100]) bar.show('export', { current, total: 100 });
    bar.show('empty', { current: 0, total: 0 });
    bar.end();
    expect(written).toEqual(['export 0 %\n', 'export 10 %\n', 'export 100 %\n', 'empty 100 %\n']);
  });
});
