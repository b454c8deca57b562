// Lints source texts as if they lay in the workspace of the current directory.
// In, on stdin: [{ file, text }]. Out: one list of rule names a text, "fatal" for what does not parse.
import { text as readAll } from 'node:stream/consumers';
import { ESLint } from 'eslint';

const cases = JSON.parse(await readAll(process.stdin));
const eslint = new ESLint({ cwd: process.cwd() });
const results = [];
for (const { file, text } of cases) {
  const [result] = await eslint.lintText(text, { filePath: file });
  results.push((result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? `fatal: ${message}`));
}
process.stdout.write(JSON.stringify(results));
