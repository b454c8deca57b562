/** Lets so many pieces of work run at once; others wait their turn. */
export class AtMost {
  private running = 0;
  private readonly turns: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** How many pieces of work wait for their turn. */
  get waiting(): number {
    return this.turns.length;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) await new Promise<void>((resume) => this.turns.push(resume));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.turns.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
