import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cases, chart, mistakesOf, ofKind, podsOf, render, runHelm, valuesOf } from './chart-harness.mjs';

const { variables } = await import('@quire/config');
const { apiTargets, namesWith, workerTargets } = await import('@quire/topology');
const targets = [...apiTargets, ...workerTargets];
const rendered = Object.fromEntries(cases.map((name) => [name, render(valuesOf(name))]));
const { full, minimal } = rendered;

test('the chart has values for the cases that its documentation names', () => {
  assert.deepEqual(cases.sort(), ['full', 'keda', 'minimal', 'postgres-queues']);
});

test('Helm finds no mistake in the chart', () => {
  for (const name of cases) {
    const { status, stdout } = runHelm([
      'lint',
      '--strict',
      '-f',
      join(chart, `ci/${name}-values.yaml`),
      chart,
    ]);
    assert.equal(status, 0, stdout);
  }
});

test('each manifest is valid', async () => {
  assert.deepEqual(await mistakesOf(Object.values(rendered).flat()), []);
  const kinds = new Set(Object.values(rendered).flatMap((manifests) => manifests.map(({ kind }) => kind)));
  assert.ok(kinds.size >= 12, [...kinds].join());
});

test('a manifest with an unknown field, or a value of the wrong type, is not valid', async () => {
  const [deployment] = ofKind(minimal, 'Deployment');
  const unknown = structuredClone(deployment);
  unknown.spec.template.spec.containers[0].livenessprobe = {};
  assert.match((await mistakesOf([unknown])).join(), /livenessprobe/);
  const wrong = structuredClone(deployment);
  wrong.spec.template.spec.terminationGracePeriodSeconds = '30';
  assert.match((await mistakesOf([wrong])).join(), /terminationGracePeriodSeconds/);
});

for (const name of cases)
  test(`${name}: the Deployments are the targets`, () => {
    const deployments = ofKind(rendered[name], 'Deployment');
    const started = deployments.map(({ metadata, spec }) => {
      const [{ name: container, args }] = spec.template.spec.containers;
      assert.equal(metadata.name, `quire-${container}`);
      assert.deepEqual(args, ['--target', container]);
      return container;
    });
    assert.deepEqual(started.sort(), [...targets].sort());
    const services = ofKind(rendered[name], 'Service').map(({ metadata }) => metadata.name);
    const expected = [...apiTargets, 'operations'].map((target) => `quire-${target}`);
    assert.deepEqual(services.sort(), expected.sort());
  });

const further = /^(?:DATABASE_URL_[A-Z0-9]+|CMS_OAUTH_[A-Z0-9]+_[A-Z_]+)$/;
for (const name of cases)
  test(`${name}: variables exist, and secrets are from Secrets`, () => {
    assert.deepEqual(ofKind(rendered[name], 'Secret'), []);
    for (const pod of podsOf(rendered[name]))
      for (const { name: variable, value, valueFrom } of pod.spec.containers[0].env ?? []) {
        assert.ok(variable in variables || further.test(variable), variable);
        const isSecret = variables[variable]?.[1].sensitive ?? further.test(variable);
        assert.equal(valueFrom !== undefined, isSecret, `${pod.name} ${variable}`);
        if (value === undefined) assert.ok(valueFrom.secretKeyRef.key.startsWith(variable));
        else
          assert.ok(
            variables[variable][0].safeParse(value).success || variable === 'CMS_INTERNAL_PUBLIC_KEYS',
            variable,
          );
      }
  });

const includes = (labels, wanted) => Object.entries(wanted).every(([name, value]) => labels[name] === value);
const envOf = (pod) => Object.fromEntries(pod.spec.containers[0].env.map((each) => [each.name, each]));
const podOf = (manifests, component) =>
  podsOf(manifests).find(({ labels }) => labels['app.kubernetes.io/component'] === component);

test('a target gets the stores that it uses, the addresses of services that it calls, and its own key', () => {
  for (const target of targets) {
    const names = Object.keys(envOf(podOf(full, target)));
    const service = target.replace(/-worker$/, '');
    const usesStores = service === 'gateway' || namesWith('hasData').includes(service);
    assert.equal(names.includes('DATABASE_URL'), usesStores, target);
    assert.equal(names.includes('S3_SECRET_KEY'), usesStores, target);
    const calls = service === 'gateway' || namesWith('callsServices').includes(service);
    for (const other of apiTargets.filter((each) => each !== 'gateway'))
      assert.equal(
        envOf(podOf(full, target))[`${other.toUpperCase()}_URL`]?.value,
        calls ? `http://quire-${other}:4321` : undefined,
      );
    const key = envOf(podOf(full, target)).CMS_INTERNAL_PRIVATE_KEYS?.valueFrom.secretKeyRef.key;
    assert.equal(key, calls ? `CMS_INTERNAL_PRIVATE_KEYS_${service.toUpperCase()}` : undefined);
  }
  const { CMS_MAX_UPLOAD_BYTES: limit } = envOf(podOf(full, 'media'));
  assert.equal(limit.value, '104857600');
  assert.equal(envOf(podOf(full, 'content')).CMS_MAX_UPLOAD_BYTES, undefined);
});

for (const name of cases)
  test(`${name}: no pod has more rights than it needs`, () => {
    for (const { spec } of podsOf(rendered[name])) {
      assert.equal(spec.automountServiceAccountToken, false);
      const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext;
      assert.deepEqual(
        { runAsNonRoot, runAsUser, seccompProfile },
        {
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      );
      for (const container of spec.containers) {
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.ok(container.resources.limits.memory);
      }
      for (const volume of spec.volumes ?? []) assert.ok(volume.emptyDir ?? volume.configMap, volume.name);
    }
  });

test('probes use the operations port, and the grace period is longer than the stop of a process', () => {
  for (const target of targets) {
    const { spec } = podOf(full, target);
    const [{ ports, startupProbe, livenessProbe, readinessProbe, env }] = spec.containers;
    const port = ports.find(({ name }) => name === 'operations').containerPort;
    assert.equal(port, target === 'gateway' ? 5321 : 4321);
    for (const [probe, path] of [
      [startupProbe, '/healthz'],
      [livenessProbe, '/healthz'],
      [readinessProbe, '/readyz'],
    ])
      assert.deepEqual(probe.httpGet, { path, port: 'operations' });
    const drain = env.find(({ name }) => name === 'CMS_DRAIN_SECONDS').value;
    assert.equal(drain, '15');
    assert.ok(spec.terminationGracePeriodSeconds > Number(drain) + 20);
  }
});

test('the pods of a target are spread over nodes and zones, and one of them at a time may be evicted', () => {
  const budgets = ofKind(full, 'PodDisruptionBudget');
  for (const target of targets) {
    const { spec, labels } = podOf(full, target);
    const topologies = spec.topologySpreadConstraints.map(({ topologyKey, labelSelector }) => {
      const { 'quire/calls-services': _, ...own } = labels;
      assert.deepEqual(labelSelector.matchLabels, own);
      return topologyKey;
    });
    assert.deepEqual(topologies, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
    const [budget, ...others] = budgets.filter(({ spec: { selector } }) =>
      includes(labels, selector.matchLabels),
    );
    assert.deepEqual([budget.spec.maxUnavailable, others], [1, []]);
  }
});

test('migrations run before an installation and an upgrade, and not before a rollback', () => {
  const [{ metadata, spec }] = ofKind(full, 'Job');
  assert.deepEqual(metadata.annotations, {
    'helm.sh/hook': 'pre-install,pre-upgrade',
    'helm.sh/hook-delete-policy': 'before-hook-creation',
  });
  assert.equal(spec.activeDeadlineSeconds, 3600);
  const [{ command }] = spec.template.spec.containers;
  assert.deepEqual(command, ['cms', 'migrate', '--jobs', '8']);
  const { DATABASE_URL: url, CMS_DATABASE_SERVING_ROLE: role } = envOf(podOf(full, 'migrate'));
  assert.equal(url.valueFrom.secretKeyRef.name, 'quire-database-owner');
  assert.equal(role.value, 'quire');
  const { DATABASE_URL_EU1: further } = envOf(podOf(full, 'migrate'));
  assert.equal(further.valueFrom.secretKeyRef.name, 'quire-database-eu1-owner');
  assert.equal(
    envOf(podOf(full, 'media')).DATABASE_URL_EU1.valueFrom.secretKeyRef.name,
    'quire-database-eu1',
  );
  // nothing of the release exists yet
  assert.deepEqual(
    spec.template.spec.volumes.map(({ name }) => name),
    ['tmp'],
  );
});

test('the site configuration is a file beside the program, and its changes replace the pods', () => {
  const [config] = ofKind(full, 'ConfigMap').filter(({ metadata }) => metadata.name === 'quire-site-config');
  assert.equal(config.data['cms.config.mjs'], valuesOf('full').siteConfig);
  const checksum = (manifests) =>
    ofKind(manifests, 'Deployment')[0].spec.template.metadata.annotations['checksum/site-config'];
  const other = render({ ...valuesOf('full'), siteConfig: 'export default {};\n' });
  assert.notEqual(checksum(full), checksum(other));
  const [{ volumeMounts }] = podOf(full, 'auth').spec.containers;
  const mount = volumeMounts.find(({ name }) => name === 'site-config');
  assert.deepEqual([mount.mountPath, mount.subPath], ['/app/cms.config.mjs', 'cms.config.mjs']);
});

/** What may connect to a port of a target: pods of the release by their component, and other peers. */
function callersOf(manifests, target, port) {
  const selects = ({ matchLabels }, { labels }) => includes(labels, matchLabels);
  const policies = ofKind(manifests, 'NetworkPolicy').filter(({ spec }) =>
    selects(spec.podSelector, podOf(manifests, target)),
  );
  assert.equal(policies.length, 1);
  const peers = policies[0].spec.ingress
    .filter(({ ports }) => ports.some((each) => each.port === port))
    .flatMap(({ from }) => from);
  const pods = podsOf(manifests).filter((pod) =>
    peers.some(({ podSelector }) => podSelector && selects(podSelector, pod)),
  );
  return {
    pods: pods.map(({ labels }) => labels['app.kubernetes.io/component']).sort(),
    others: peers.filter(({ podSelector }) => !podSelector),
  };
}

test('only peers reach the gateway, only callers the services, and only Prometheus the operations ports', () => {
  const { gatewayFrom, operationsFrom } = valuesOf('full').networkPolicy;
  const callers = targets.filter((target) => target !== 'admin').sort();
  assert.deepEqual(callersOf(full, 'gateway', 4321), { pods: ['test'], others: gatewayFrom });
  assert.deepEqual(callersOf(full, 'gateway', 5321), { pods: [], others: operationsFrom });
  for (const target of targets.filter((each) => each !== 'gateway')) {
    const pods = workerTargets.includes(target) ? [] : callers;
    assert.deepEqual(callersOf(full, target, 4321), { pods, others: operationsFrom }, target);
  }
});

test('without peers, every client reaches the gateway, and none the operations ports', () => {
  const [gateway] = ofKind(minimal, 'NetworkPolicy').filter(
    ({ metadata }) => metadata.name === 'quire-gateway',
  );
  assert.deepEqual(gateway.spec.ingress, [{ ports: [{ port: 4321 }] }]);
  const [worker] = ofKind(minimal, 'NetworkPolicy').filter(
    ({ metadata }) => metadata.name === 'quire-auth-worker',
  );
  assert.deepEqual(worker.spec.ingress, []);
});

test('routes lead to the gateway only', () => {
  const backends = [
    ...ofKind(full, 'Ingress').flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name)),
    ),
    ...ofKind(full, 'HTTPRoute').flatMap(({ spec }) =>
      spec.rules.flatMap(({ backendRefs }) => backendRefs.map(({ name }) => name)),
    ),
  ];
  assert.deepEqual([...new Set(backends)], ['quire-gateway']);
  assert.equal(backends.length, 3);
  assert.deepEqual([...ofKind(minimal, 'Ingress'), ...ofKind(minimal, 'HTTPRoute')], []);
});
