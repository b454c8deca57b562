import type { DataOf } from '@quire/api-client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilePlus2 } from 'lucide-react';
import { bootstrapQuery, visibleCollections, type Bootstrap } from '../api/bootstrap.js';
import { api } from '../api/client.js';
import { StatusBadge } from '../entries/list/status-badge.js';
import { useMessages } from '../locales/messages.js';
import { useTimeFormatters } from '../time/formatters.js';
import { Empty } from '../ui/empty.js';
import { ErrorBox } from '../ui/error-box.js';
import { Skeleton } from '../ui/skeleton.js';
import styles from './home-lists.module.css';

type Home = DataOf<'getPanelHome'>;
type HomeEntry = Home['mine'][number];

const staleMs = 15_000;
const homeQuery = queryOptions({
  queryKey: ['getPanelHome'],
  queryFn: ({ signal }) => api.call('getPanelHome', { signal }),
  staleTime: staleMs,
});

/** The lists in their order, and the view of a collection that has more of them. */
const lists = [
  { name: 'overdue', view: 'overdue' },
  { name: 'mine', view: undefined },
  { name: 'upcoming', view: 'scheduled' },
  { name: 'recent', view: undefined },
] as const;

/** What a user goes on with: publications that failed, own entries, the next publications, changes of others. */
export function HomeLists() {
  const t = useMessages();
  const { data: bootstrap } = useQuery(bootstrapQuery);
  const { data: home, error, refetch } = useQuery(homeQuery);
  if (error && !home) return <ErrorBox level={2} error={error} onRetry={() => void refetch()} />;
  if (!home || !bootstrap) return <Skeleton rows={4} label={t('home.loading')} />;
  const shown = lists.filter(({ name }) => home[name].length > 0);
  if (shown.length === 0) return <NoEntries bootstrap={bootstrap} />;
  return (
    <div className={styles['lists']}>
      {shown.map(({ name, view }) => (
        <section key={name} aria-labelledby={`home-${name}`} data-alarm={name === 'overdue' || undefined}>
          <h2 id={`home-${name}`}>{t(`home.${name}`)}</h2>
          <ul>
            {home[name].map((entry) => (
              <Entry key={entry.id} entry={entry} view={view} bootstrap={bootstrap} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Entry({
  entry,
  view,
  bootstrap,
}: {
  entry: HomeEntry;
  view: 'overdue' | 'scheduled' | undefined;
  bootstrap: Bootstrap;
}) {
  const t = useMessages();
  const times = useTimeFormatters(bootstrap.site.timezone);
  const collection = bootstrap.collections.find(({ slug }) => slug === entry.collection);
  return (
    <li>
      <Link
        className={styles['title']}
        to="/content/$collection/$id"
        params={{ collection: entry.collection, id: entry.id }}
        search={{}}
      >
        {entry.title ?? entry.slug ?? t('list.untitled')}
      </Link>
      <StatusBadge row={entry} times={times} />
      <span className={styles['facts']}>
        <Link to="/content/$collection" params={{ collection: entry.collection }} search={{ view }}>
          {collection?.label ?? entry.collection}
        </Link>
        <time dateTime={entry.editedAt} title={times.exact(entry.editedAt)}>
          {t('home.edited', { time: times.relative(entry.editedAt) })}
        </time>
      </span>
    </li>
  );
}

/** What a site without entries begins with. */
function NoEntries({ bootstrap }: { bootstrap: Bootstrap }) {
  const t = useMessages();
  const [first] = visibleCollections(bootstrap);
  return (
    <Empty
      icon={<FilePlus2 aria-hidden size={32} />}
      title={t('home.empty')}
      explanation={t(first ? 'home.empty.entries' : 'home.empty.collections')}
    >
      {first && (
        <Link to="/content/$collection" params={{ collection: first.slug }}>
          {first.label}
        </Link>
      )}
    </Empty>
  );
}
