const width = 30;
/** Without a terminal a line is printed for each tenth. */
const stepPercent = 10;

/** An output of the process. */
export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** How far a phase is; `text` is shown in place of the two numbers. */
export interface Progress {
  current: number;
  total: number;
  text?: string;
}

/** Share of a phase that is done, in whole percent. */
export function percentOf({ current, total }: Progress): number {
  return total === 0 ? 100 : Math.floor((100 * current) / total);
}

/** Shows progress on the terminal: a bar that changes in place, or lines where the output is a file. */
export class ProgressBar {
  private last = '';

  constructor(private readonly terminal: Terminal) {}

  /** Shows how far a phase is. */
  show(phase: string, progress: Progress): void {
    const { current, total, text = `${current}/${total}` } = progress;
    const percent = percentOf(progress);
    const line =
      this.terminal.isTTY === true
        ? `\r\u001b[K${phase.padEnd(9)} [${barOf(percent)}] ${percent} % ${text}`
        : `${phase} ${percent - (percent % stepPercent)} %\n`;
    if (line !== this.last) this.terminal.write(line);
    this.last = line;
  }

  /** Removes the bar, so that text after it begins on a line of its own. */
  end(): void {
    if (this.terminal.isTTY === true && this.last !== '') this.terminal.write('\r\u001b[K');
    this.last = '';
  }
}

function barOf(percent: number): string {
  const filled = Math.min(width, Math.round((width * percent) / 100));
  return `${'#'.repeat(filled)}${'.'.repeat(width - filled)}`;
}
