/** Scores of the MCP server for agents, without a model: search for tools, scripted jobs, and replayed mistakes. */
import type { Site } from '../systems.js';
import { Agent } from './agent.js';
import { contentJobs } from './content-jobs.js';
import { prepareJobSite, type JobSite } from './job-site.js';
import { mistakes, type Agents } from './mistakes.js';
import { prompts } from './prompts.js';
import { structureJobs } from './structure-jobs.js';
import { scoreToolSearch } from './tool-search.js';

/** Prints the three scores. @throws Error naming the jobs that failed and the mistakes without their code */
export async function scoreAgents(site: Site): Promise<void> {
  const jobSite = await prepareJobSite(site);
  await printToolSearch(new Agent(site.origin, site.headers));
  const failures = [...(await printJobs(site, jobSite)), ...(await printMistakes(site, jobSite))];
  if (failures.length > 0) throw new Error(`agents:\n${failures.map((line) => `  ${line}`).join('\n')}`);
}

async function printToolSearch(agent: Agent): Promise<void> {
  const tools = await agent.listTools();
  const { hitAt1, hitAt3, misses } = scoreToolSearch(tools);
  const bytes = agent.totals.receivedBytes;
  console.log(`\nagents: search of ${prompts.length} prompts in ${tools.length} tools (${bytes} bytes)`);
  console.log(`  hit@1 ${hitAt1.toFixed(2)}, hit@3 ${hitAt3.toFixed(2)}`);
  for (const { prompt, tool, found } of misses)
    console.log(`  not found: ${tool} for "${prompt}" (${found.join(', ')})`);
}

const row = (name: string, columns: readonly (number | string)[]) =>
  `  ${name.padEnd(48)}${columns.map((column) => String(column).padStart(10)).join('')}`;

/** Runs the jobs. @returns a line for each failure */
async function printJobs({ origin, headers }: Site, site: JobSite): Promise<string[]> {
  const jobs = [...contentJobs, ...structureJobs];
  const failures: string[] = [];
  const sum = { calls: 0, sentBytes: 0, receivedBytes: 0 };
  console.log(`\nagents: ${jobs.length} jobs`);
  console.log(row('job', ['calls', 'bytes in', 'bytes out', 'failures']));
  for (const [name, run] of jobs) {
    const agent = new Agent(origin, headers);
    let failed = 0;
    await run(agent, site).catch((error: unknown) => {
      failed = 1;
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
    const { calls, sentBytes, receivedBytes } = agent.totals;
    console.log(row(name, [calls, sentBytes, receivedBytes, failed]));
    sum.calls += calls;
    sum.sentBytes += sentBytes;
    sum.receivedBytes += receivedBytes;
  }
  console.log(row('all', [sum.calls, sum.sentBytes, sum.receivedBytes, failures.length]));
  return failures;
}

async function openAgents({ origin, host, headers, createToken }: Site): Promise<Agents> {
  const open = async (role: string, scopes: string[]) => {
    const token = await createToken({ role, email: `${role}.agent@example.com`, scopes });
    return new Agent(origin, { host, authorization: `Bearer ${token}` });
  };
  return {
    admin: new Agent(origin, headers),
    author: await open('author', ['content:read', 'content:write']),
    reader: await open('admin', ['content:read']),
  };
}

/** Makes the mistakes. @returns a line for each call that did not fail with its code */
async function printMistakes(site: Site, jobSite: JobSite): Promise<string[]> {
  const agents = await openAgents(site);
  const failures: string[] = [];
  const unhelpful: string[] = [];
  for (const { name, tool, args, as = 'admin', code, fix } of mistakes) {
    try {
      const result = await agents[as].call(tool, await args({ site: jobSite, admin: agents.admin }));
      if (result.code !== code)
        failures.push(`${name}: ${result.code ?? 'success'}, not ${code}: ${result.text}`);
      else if (!fix.test(result.text)) unhelpful.push(`${name}: ${result.text}`);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const named = mistakes.length - failures.length - unhelpful.length;
  console.log(`\nagents: ${named} of ${mistakes.length} errors name the fix`);
  for (const line of unhelpful) console.log(`  without the fix: ${line.slice(0, 400)}`);
  return failures;
}
