import { useSwitchWelcomeSmsMutation, type WelcomeSmsView } from '../../api/sms';
import { raffleName } from '../../lib/raffles';
import { useToast } from '../../../shared/ui/toast/useToast';
import { useAct } from '../../lib/useAct';
import { Switch } from '../../ui/Switch';

/** Whether people who enter on this page get a text. */
export function WelcomeSwitch({ template }: { template: WelcomeSmsView }) {
  const { landingPage, isActive } = template;
  const [change] = useSwitchWelcomeSmsMutation();
  const toast = useToast();

  const { pending, problem, run } = useAct(({ sentence }) => {
    toast({ title: 'Error', description: 'Failed to update template', tone: 'bad' });
    return sentence;
  });

  async function activate(next: boolean) {
    await change({ landingPage, activeBody: { isActive: next } }).unwrap();
    toast({ title: 'Welcome template updated successfully' });
  }

  return (
    <div>
      <Switch
        label={`Active: ${raffleName(landingPage)}`}
        state={isActive ? 'Sent to people who enter' : 'Nobody gets a text'}
        checked={isActive}
        busy={pending}
        onChange={(next) => run(() => activate(next))}
      />
      <p className="stale" role="status">
        {problem}
      </p>
    </div>
  );
}
