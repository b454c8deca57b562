import 'reflect-metadata';
import { expect, it, describe } from '@jest/globals';
import { buildPackage } from '@quire/testing';
import { useFixture } from '@quire/testing';
import { openAnalyses } from './testing/analyses.fixture.js';
import { siteContent } from './testing/site-content.fixture.js';

const analyses = useFixture(() => openAnalyses('spec-of-import-analysis'));

describe('analysis', () => {
  it('finds no blocker in a package with records of every kind', async () => {
    const plan = await analyses.plan(buildPackage(siteContent()));
    console.log(JSON.stringify(plan, null, 1));
    expect(plan.blockers).toEqual([]);
  });
});
