/** Lets so many pieces of work run at once; others wait their turn. */
export class AtMost {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) await new Promise<void>((resume) => this.waiting.push(resume));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
