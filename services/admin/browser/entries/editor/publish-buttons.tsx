import { ChevronDown, RotateCcw } from 'lucide-react';
import { useRef, useState, useSyncExternalStore } from 'react';
import { useMessages, type Translate } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Menu, type MenuEntry } from '../../ui/menu.js';
import { ActionQuestion } from '../action-question.js';
import { actionLabel, problemText } from '../list/action-words.js';
import { actionIcons } from '../list/row-menu.js';
import { actionsOf, isEverAllowed, type EntryAction } from '../list/entry-actions.js';
import { useEditorContext } from './editor-context.js';
import type { EntryFacts } from './entry-facts.js';
import type { EntrySession } from './entry-session.js';
import { useEntryAction, type EditorAction } from './use-entry-action.js';

/** Actions that are asked about first. */
const askedActions = ['schedule', 'unpublish', 'discard', 'trash'] as const;
type AskedAction = (typeof askedActions)[number];

/** The button that says what happens next with the entry, and the menu of what else can. */
export function PublishButtons({ session }: { session: EntrySession }) {
  const t = useMessages();
  const { bootstrap, caller } = useEditorContext();
  const anchor = useRef<HTMLSpanElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [asked, setAsked] = useState<AskedAction>();
  const { run, isRunning } = useEntryAction(session);
  const facts = useSyncExternalStore(session.subscribe, session.getFacts);
  const { allowsTransitions } = useSyncExternalStore(session.saver.subscribe, session.saver.getStatus);
  if (!facts) return null;
  const start = (action: EditorAction) => {
    const question = askedActions.find((each) => each === action);
    if (question) setAsked(question);
    else void run(action);
  };
  const main = mainAction(facts);
  const entries = menuEntries(t, facts, { caller, main, isBlocked: !allowsTransitions });
  const mayPublish = isEverAllowed('publish', caller);
  return (
    <>
      {mayPublish && main && (
        <Button isMain isPending={isRunning} isDisabled={!allowsTransitions} onPress={() => start(main)}>
          {main === 'publish' && facts.status === 'draft' && facts.publishedAt !== null
            ? t('action.publish.again')
            : actionLabel(t, main, facts)}
        </Button>
      )}
      {!mayPublish && <span>{t('editor.editorPublishes')}</span>}
      {entries.length > 0 && (
        <span ref={anchor}>
          <Button onPress={() => setMenuOpen(true)} isDisabled={isRunning}>
            {t('editor.more')}
            <ChevronDown aria-hidden size={16} />
          </Button>
        </span>
      )}
      {isMenuOpen && (
        <Menu
          label={t('editor.more')}
          entries={entries}
          anchor={anchor}
          onAction={(id) => start(id as EditorAction)}
          onClose={() => setMenuOpen(false)}
        />
      )}
      {asked && (
        <ActionQuestion
          action={asked}
          title={t(`editor.ask.${asked}`)}
          confirmLabel={asked === 'discard' ? t('action.discard') : actionLabel(t, asked, facts)}
          zone={bootstrap.site.timezone}
          former={facts.scheduledAt}
          onConfirm={(scheduledAt) => {
            setAsked(undefined);
            void run(asked, scheduledAt);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

/** What the button does: nothing for a published entry without changes. */
function mainAction({ status, isChanged, scheduledAt }: EntryFacts): 'publish' | 'schedule' | undefined {
  if (scheduledAt !== null) return 'schedule';
  return status !== 'published' || isChanged ? 'publish' : undefined;
}

function menuEntries(
  t: Translate,
  facts: EntryFacts,
  {
    caller,
    main,
    isBlocked,
  }: { caller: Parameters<typeof actionsOf>[1]; main: EntryAction | undefined; isBlocked: boolean },
): MenuEntry[] {
  const problem = isBlocked ? t('editor.blocked') : undefined;
  const entries: MenuEntry[] = actionsOf(facts, caller)
    .filter(({ action }) => action !== main)
    .map(({ action, problem: own }) => {
      const Icon = actionIcons[action];
      return {
        id: action,
        label: actionLabel(t, action, facts),
        icon: <Icon aria-hidden size={16} />,
        problem: problem ?? (own && problemText(t, own)),
        isDanger: action === 'trash',
      };
    });
  if (facts.isChanged)
    entries.push({
      id: 'discard',
      label: t('action.discard'),
      icon: <RotateCcw aria-hidden size={16} />,
      problem,
      isDanger: true,
    });
  return entries;
}
