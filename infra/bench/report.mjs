const median = (numbers) => {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

const format = (number, digits) => number.toFixed(digits).padStart(9);

/** `7`, or `7+2` with BEGIN and COMMIT; a tenth where not every request runs the same. */
function statementCount({ statements, transaction }) {
  const short = (number) => String(Number(number.toFixed(1)));
  return (transaction > 0 ? `${short(statements)}+${short(transaction)}` : short(statements)).padStart(9);
}

/**
 * Prints a table of medians over the rounds; ratios are medians of the ratios within each round, to the first variant.
 * @param results rounds by operation and variant
 * @param statements counts by operation and variant, where they were counted
 */
export function report(results, statements = {}) {
  for (const [operation, variants] of Object.entries(results)) {
    console.log(`\n${operation}`);
    console.log('  variant         req/s      p50      p99   cpu ms   db cpu    ratio  cpu ratio      sql');
    const [baseline] = Object.values(variants);
    for (const [variant, rounds] of Object.entries(variants)) {
      const of = (part) => median(rounds.map((round) => round[part]));
      const against = (part) => median(rounds.map((round, index) => round[part] / baseline[index][part]));
      const columns = [
        format(of('rate'), 0),
        format(of('p50'), 1),
        format(of('p99'), 1),
        format(of('serverMs'), 3),
        format(of('databaseMs'), 3),
      ];
      const ratios = [format(against('rate'), 2), format(against('serverMs'), 2)];
      const counted = statements[operation]?.[variant];
      const sql = counted ? statementCount(counted) : '';
      console.log(`  ${variant.padEnd(12)}${[...columns, ...ratios].join('')}  ${sql}`);
    }
  }
}
