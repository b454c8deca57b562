import { CommandError, SiteError } from '../command-error.js';
import { Retries } from '../http/retries.js';
import { StepDelay } from '../site-api/step-delay.js';
import { analyzedResponse, planResponse, type ImportOperation, type ImportPlan } from './import-api.js';
import { importPath, readState, type ImportDeps } from './import-deps.js';

/** A step of the analysis reads part of the package. */
const stepTimeoutMs = 600_000;

/** Choices of the user. */
export interface ImportChoices {
  /** Users of this site by principal: its id, or its e-mail address. Null leaves records without a user. */
  mappings: ReadonlyMap<string, string | null>;
  siteTitle?: 'package' | 'target';
  siteTagline?: 'package' | 'target';
}

/** What an import will do, with the digest that confirms it. */
export interface Planned {
  plan: ImportPlan;
  planDigest: string;
}

type Decisions = Partial<ImportPlan['decisions']>;

/**
 * Takes the steps of the analysis, and plans the import with the choices of the user. An import that an earlier command
 * has planned is planned again, without the choices of that command, and as the site is now.
 * @throws CommandError when the analysis fails, or a choice names an unknown principal; SiteError; ConnectionError
 */
export async function planImport(
  deps: ImportDeps,
  { id, state }: ImportOperation,
  choices: ImportChoices,
): Promise<Planned> {
  const planned = await analyze(deps, id);
  const decisions = decisionsOf(planned.plan, choices);
  const isNewPlan = state === 'uploading' && Object.keys(decisions).length === 0;
  return isNewPlan ? planned : analyze(deps, id, decisions);
}

async function analyze(deps: ImportDeps, id: string, decisions?: Decisions): Promise<Planned> {
  const { api, output, sleep, signal } = deps;
  const retries = new Retries(sleep, signal);
  const delay = new StepDelay(sleep, signal);
  for (;;) {
    try {
      const { operation, plan, planDigest, nextRequestInMs } = await api.call(
        importPath(id, 'analyze'),
        analyzedResponse,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(decisions ? { decisions } : {}),
          timeoutMs: stepTimeoutMs,
          signal,
        },
      );
      retries.reset();
      const { done, total } = operation.progress ?? { done: 0, total: 1 };
      output.progress('analyze', { current: done, total });
      if (plan && planDigest !== undefined) return { plan, planDigest };
      const { state } = operation;
      if (nextRequestInMs !== null)
        await delay.wait(nextRequestInMs, { state, readState: () => readState(deps, id) });
      else if (state === 'planned') return await api.call(importPath(id, 'plan'), planResponse, { signal });
      else throw new CommandError(`The analysis has failed at the site (${operation.errorCode ?? state})`);
    } catch (error) {
      if (error instanceof SiteError && error.code === 'TRANSFER_INVALID_STATE') throw error;
      await retries.waitAfter(error);
    }
  }
}

/** The decisions that the user has made. @throws CommandError for a principal that the package does not have */
function decisionsOf({ principals }: ImportPlan, choices: ImportChoices): Decisions {
  const { mappings, siteTitle, siteTagline } = choices;
  const principalMappings = Object.fromEntries(
    [...mappings].map(([named, user]) => {
      const principal = principals.find(({ id, email }) => id === named || email === named);
      if (!principal) throw new CommandError(`The package has no user ${named}: see the plan for its users`);
      return [principal.id, user];
    }),
  );
  return {
    ...(mappings.size > 0 && { principalMappings }),
    ...(siteTitle && { siteTitle }),
    ...(siteTagline && { siteTagline }),
  };
}
