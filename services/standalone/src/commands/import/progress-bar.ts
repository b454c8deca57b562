const width = 30;
/** Without a terminal a line is printed for each tenth. */
const stepPercent = 10;

interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows progress on the terminal: a bar that changes in place, or lines where the output is a file. */
export class ProgressBar {
  private last = '';

  constructor(private readonly terminal: Terminal) {}

  /** Shows how far a phase is. */
  show(phase: string, { current, total }: { current: number; total: number }): void {
    const percent = total === 0 ? 100 : Math.floor((100 * current) / total);
    if (this.terminal.isTTY === true) {
      const filled = Math.round((width * percent) / 100);
      const bar = `${'#'.repeat(filled)}${'.'.repeat(width - filled)}`;
      this.terminal.write(`\r\u001b[K${phase.padEnd(9)} [${bar}] ${percent} % ${current}/${total}`);
      return;
    }
    const line = `${phase} ${percent - (percent % stepPercent)} %`;
    if (line !== this.last) this.terminal.write(`${line}\n`);
    this.last = line;
  }

  /** Removes the bar, so that text after it begins on a line of its own. */
  end(): void {
    if (this.terminal.isTTY === true) this.terminal.write('\r\u001b[K');
  }
}
