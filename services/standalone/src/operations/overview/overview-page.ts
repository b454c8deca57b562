import type { Operator } from '@quire/tenancy';
import { html, type Html } from '@quire/ui';
import { formatSeconds } from '../../commands/queues/index.js';
import { renderOperatorPage } from '../pages.js';
import type { Overview } from './read-overview.js';

/** Age from which a waiting job, message or row needs attention. */
const lateSeconds = 300;

/** A cell; `isBad` marks a value that needs attention. */
interface Cell {
  text: string | number;
  isBad: boolean;
}

type Row = readonly (string | number | Cell)[];

/** The overview as a page. */
export function renderOverview(operator: Operator, overview: Overview): string {
  const content = html`<p>
      Read at ${overview.at}. The same facts as JSON: <a href="/ops/overview">/ops/overview</a>
    </p>
    ${renderProcess(overview)} ${renderProcesses(overview)} ${renderHealth(overview)}
    ${renderQueues(overview)} ${renderPauses(overview)} ${renderWorkers(overview)} ${renderBacklog(overview)}
    ${renderSites(overview)}`;
  return renderOperatorPage(operator, 'Overview', content);
}

function renderProcess({ process: { version, targets, node, uptimeSeconds } }: Overview): Html {
  const rows = [[version, node, formatSeconds(uptimeSeconds), targets.join(', ')]];
  return section('This process', ['Version', 'Node.js', 'Running for', 'Targets'], rows);
}

function renderProcesses({ at, processes }: Overview): Html {
  const versions = new Set(processes?.map(({ version }) => version));
  const secondsSince = (time: string) => Math.max(0, (Date.parse(at) - Date.parse(time)) / 1000);
  const rows = processes?.map(({ host, pid, targets, version, startedAt, seenAt }): Row => {
    const [uptime, seen] = [startedAt, seenAt].map((time) => formatSeconds(secondsSince(time)));
    return [`${host}:${pid}`, bad(version, versions.size > 1), uptime ?? '', seen ?? '', targets.join(', ')];
  });
  const note = versions.size > 1 ? `${versions.size} versions run: ${[...versions].join(', ')}` : undefined;
  return section('Processes', ['Process', 'Version', 'Running for', 'Last seen', 'Targets'], rows, note);
}

function renderHealth({ health: { status, dependencies } }: Overview): Html {
  const rows = Object.entries(dependencies).map(([name, state]) => [name, bad(state, state === 'failed')]);
  return section(`Dependencies: ${status}`, ['Name', 'State'], rows);
}

function renderQueues({ queues, outbox }: Overview): Html {
  const counts = ['Waiting', 'Active', 'Delayed', 'Failed', 'Finished per minute'];
  const titles = ['Queue', ...counts, 'Oldest', 'Workers', 'State', 'Outbox'];
  const rows = queues?.map((each): Row => {
    const { queue, waiting, active, delayed, failed, finishedPerMinute } = each;
    const { oldestSeconds, workers, isPaused } = each;
    const pending = outbox?.queues.find((messages) => messages.queue === queue);
    const state = isPaused ? 'paused' : workers === 0 ? 'no worker' : 'running';
    return [
      queue,
      waiting,
      active,
      delayed,
      bad(failed, failed > 0),
      finishedPerMinute?.toFixed(1) ?? 'unknown',
      age(oldestSeconds),
      workers,
      bad(state, state !== 'running'),
      pending
        ? bad(
            `${pending.count} (${formatSeconds(pending.oldestSeconds)})`,
            pending.oldestSeconds >= lateSeconds,
          )
        : 'unknown',
    ];
  });
  const failed = outbox?.failed ?? 0;
  const note = failed > 0 ? `${failed} message(s) rejected by a queue: see "cms outbox list"` : undefined;
  return section('Queues', titles, rows, note);
}

function renderPauses({ pauses }: Overview): Html {
  const rows = pauses?.map(({ queue, tenantId, pausedAt }) => [queue, tenantId, pausedAt]);
  return section('Paused sites', ['Queue', 'Site', 'Since'], rows);
}

function renderWorkers({ workers }: Overview): Html {
  const rows = workers?.map(({ process, queues }) => [process, queues.join(', ')]);
  return section('Processes with workers', ['Process', 'Queues'], rows);
}

function renderBacklog({ backlog, schedules }: Overview): Html {
  const rows = backlog?.map((each): Row => {
    const { work, count, due, failed, oldestSeconds, maxAttempts } = each;
    return [work, count, due, bad(failed, failed > 0), age(oldestSeconds), maxAttempts];
  });
  const note = schedules
    ? `Scheduled publications: ${schedules.planned} planned, ${schedules.due} due, the oldest for ` +
      formatSeconds(schedules.lateSeconds)
    : undefined;
  return section('Pending work', ['Table', 'Rows', 'Due', 'Failed', 'Oldest', 'Attempts'], rows, note);
}

function renderSites({ busiestSites }: Overview): Html {
  const rows = busiestSites.map(({ site, requestsPerSecond }) => [site, requestsPerSecond.toFixed(2)]);
  return section('Busiest sites at this gateway', ['Site', 'Requests per second, last minute'], rows);
}

/** A table with a heading. @param rows undefined: they could not be read */
function section(
  title: string,
  titles: readonly string[],
  rows: readonly Row[] | undefined,
  note?: string,
): Html {
  const table = html`<div class="table" role="region" tabindex="0" aria-label="${title}">
    <table>
      <thead>
        <tr>
          ${titles.map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows?.map(
          (row) =>
            html`<tr>
              ${row.map(renderCell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
  const empty = rows === undefined ? 'Not available' : 'None';
  return html`<section class="card">
    <h2>${title}</h2>
    ${rows === undefined || rows.length === 0 ? html`<p>${empty}</p>` : table}
    ${note === undefined ? undefined : html`<p class="hint">${note}</p>`}
  </section>`;
}

function renderCell(cell: Row[number]): Html {
  const { text, isBad } = typeof cell === 'object' ? cell : { text: cell, isBad: false };
  return isBad ? html`<td class="attention">${String(text)}</td>` : html`<td>${String(text)}</td>`;
}

const bad = (text: string | number, isBad: boolean): Cell => ({ text, isBad });
const age = (seconds: number): Cell => bad(formatSeconds(seconds), seconds >= lateSeconds);
