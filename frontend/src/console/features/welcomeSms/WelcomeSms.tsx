import { useEffect, useState } from 'react';
import { useListWelcomeSmsQuery, type WelcomeSmsListView } from '../../api/sms';
import { raffleKeys } from '../../lib/raffles';
import { useKeptFocus } from '../../lib/useKeptFocus';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { QueryView } from '../../ui/states';
import { useToast } from '../../../shared/ui/toast/useToast';
import { WelcomeForm } from './WelcomeForm';
import { WelcomeItem } from './WelcomeItem';

const CACHE_SECONDS = 30;

/** What people are told right after they entered: one message for each landing page, or the default one. */
export function WelcomeSms() {
  const messages = useListWelcomeSmsQuery({}, { refetchOnMountOrArgChange: CACHE_SECONDS });
  const [isCreating, setCreating] = useState(false);
  const mayChange = useMay('manage_texts');
  const part = useKeptFocus();
  useFailureToast(messages.error);

  const taken = messages.data?.templates.map(({ landingPage }) => landingPage) ?? [];
  const hasRoom = messages.data !== undefined && taken.length < raffleKeys().length;
  return (
    <div className="grid" {...part}>
      {isCreating && (
        <Card title="New welcome message" note="For people who enter after you save it.">
          <WelcomeForm taken={taken} onClose={() => setCreating(false)} />
        </Card>
      )}
      <Card
        title="Welcome messages"
        note="Everyone who enters gets one text with their referral link."
        actions={
          mayChange &&
          !isCreating &&
          hasRoom && <Button onClick={() => setCreating(true)}>New Welcome Message</Button>
        }
      >
        <QueryView query={messages} holdsForm>
          {(list) => <Messages list={list} />}
        </QueryView>
      </Card>
    </div>
  );
}

/** Once for each failure. */
function useFailureToast(error: unknown) {
  const toast = useToast();
  useEffect(() => {
    if (error === undefined) return;
    toast({ title: 'Error', description: 'Failed to fetch templates', tone: 'bad' });
  }, [error, toast]);
}

function Messages({ list: { templates, defaultTemplate } }: { list: WelcomeSmsListView }) {
  return (
    <ul className="sms-templates">
      {raffleKeys().map((landingPage) => (
        <WelcomeItem
          key={landingPage}
          landingPage={landingPage}
          template={templates.find((each) => each.landingPage === landingPage)}
          defaultTemplate={defaultTemplate}
        />
      ))}
    </ul>
  );
}
