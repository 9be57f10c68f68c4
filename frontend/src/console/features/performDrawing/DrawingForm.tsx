import { useWatch } from 'react-hook-form';
import type {
  DrawingView,
  LandingPageView,
  RaffleStatisticsView,
  RaffleView,
} from '../../api/admin';
import { countOf } from '../../../shared/lib/format';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Field } from '../../ui/Field';
import { ProposedDialog } from '../../ui/Proposed';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { ConfirmDrawing } from './ConfirmDrawing';
import { whyNotNow } from './drawingWords';
import { RaffleFacts } from './RaffleFacts';
import { useDrawingForm } from './useDrawingForm';

interface Props {
  stats: RaffleStatisticsView[];
  raffles: RaffleView[];
  /** The last drawing is sealed and waits for the beacon. */
  isWaiting: boolean;
  onAsk: () => void;
  onPerformed: (drawing: DrawingView) => void;
}

/** Chooses a raffle, asks for confirmation, then draws. */
export function DrawingForm({ stats, raffles, isWaiting, onAsk, onPerformed }: Props) {
  const form = useDrawingForm({ onAsk, onPerformed });
  const { register, control, errors, problem, submit } = form;
  const [chosen, isAdditional] = useWatch({ control, name: ['landingPage', 'isAdditional'] });
  const raffle = stats.find(({ landingPage }) => landingPage === chosen);
  const isDrawing = form.isDrawing || isWaiting;

  const usersOf = (key: LandingPageView) =>
    stats.find(({ landingPage }) => landingPage === key)?.users ?? 0;
  const reasonAgainst = (key: LandingPageView) => {
    const found = raffles.find(({ landingPage }) => landingPage === key);
    return found && !isAdditional ? whyNotNow(found) : undefined;
  };

  return (
    <>
      <form className="draw" onSubmit={submit} noValidate>
        {raffles.some((each) => each.isDrawn || each.drawsAt) && (
          <Checkbox
            label="Additional drawing"
            hint="Has a prize and a reason of its own, and replaces nothing."
            {...register('isAdditional')}
          />
        )}
        <Field label="Raffle" error={errors.landingPage?.message}>
          {(props) => (
            <RaffleSelect
              {...props}
              none="Choose a raffle"
              noteOf={(key) => reasonAgainst(key) ?? countOf(usersOf(key), 'participant')}
              isDisabled={(key) => usersOf(key) === 0 || reasonAgainst(key) !== undefined}
              {...register('landingPage')}
            />
          )}
        </Field>
        {isAdditional && <AdditionalFields form={form} />}
        {raffle && <RaffleFacts raffle={raffle} />}
        {stats.every(({ users }) => users === 0) && (
          <p className="quiet-text">
            There is nobody to draw yet: no raffle has participants. People who enter are counted
            here.
          </p>
        )}
        <div role="alert" className="problem">
          {problem}
        </div>
        <Button type="submit" variant="primary" busy={isDrawing}>
          {isDrawing ? 'Drawing...' : 'Draw Winner'}
        </Button>
      </form>
      {raffle && form.isAsking && (
        <ConfirmDrawing
          raffle={raffle}
          isDrawing={isDrawing}
          problem={form.drawProblem}
          onConfirm={form.draw}
          onClose={form.reconsider}
        />
      )}
      {form.proposal && <ProposedDialog proposal={form.proposal} onClose={form.forgetProposal} />}
    </>
  );
}

function AdditionalFields({ form }: { form: ReturnType<typeof useDrawingForm> }) {
  const { register, errors } = form;
  return (
    <>
      <Field label="Prize" error={errors.prizeName?.message}>
        {(props) => <input {...props} autoComplete="off" {...register('prizeName')} />}
      </Field>
      <Field label="Value" hint="For example $49." error={errors.prizeValue?.message}>
        {(props) => <input {...props} autoComplete="off" {...register('prizeValue')} />}
      </Field>
      <Field
        label="Reason"
        hint="Public for ever. 3 to 500 characters."
        error={errors.reason?.message}
      >
        {(props) => <textarea {...props} rows={2} {...register('reason')} />}
      </Field>
    </>
  );
}
