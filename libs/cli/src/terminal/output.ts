import { percentOf, ProgressBar, type Progress, type Terminal } from './progress-bar.js';
import { printable } from './printable.js';

/**
 * What a command prints. Results are on the standard output, notes and progress on the standard error; with `json` all
 * are JSON lines on the standard output, each with a `type`.
 */
export class Output {
  private readonly bar: ProgressBar;
  private lastProgress = '';

  constructor(
    private readonly streams: { stdout: Terminal; stderr: Terminal },
    private readonly json = false,
  ) {
    this.bar = new ProgressBar(streams.stderr);
  }

  /** Prints the result of the command: the lines, or the object. */
  result(object: object, lines: readonly string[]): void {
    if (this.json) return this.writeObject({ type: 'result', ...object });
    this.bar.end();
    for (const line of lines) this.streams.stdout.write(`${printable(line)}\n`);
  }

  /** Prints what the command will do once the user confirms it: the lines, or the object. */
  plan(object: object, lines: readonly string[]): void {
    if (this.json) return this.writeObject({ type: 'plan', ...object });
    this.bar.end();
    for (const line of lines) this.streams.stderr.write(`${printable(line)}\n`);
  }

  /** Prints what the user should know while the command runs. */
  note(message: string): void {
    if (this.json) return this.writeObject({ type: 'note', message: printable(message) });
    this.bar.end();
    this.streams.stderr.write(`${printable(message)}\n`);
  }

  /** Shows how far a phase is. */
  progress(phase: string, progress: Progress): void {
    if (!this.json) return this.bar.show(phase, progress);
    const key = `${phase} ${percentOf(progress)}`;
    if (key === this.lastProgress) return;
    this.lastProgress = key;
    const { current, total } = progress;
    this.writeObject({ type: 'progress', phase, current, total });
  }

  /** Ends the command after a failure; the process prints the message itself. */
  fail(error: { code?: string; message: string }): void {
    this.bar.end();
    if (this.json) this.writeObject({ type: 'error', ...error });
  }

  private writeObject(object: object): void {
    this.streams.stdout.write(`${JSON.stringify(object)}\n`);
  }
}
