import { useState } from 'react';
import type { FieldErrors } from 'react-hook-form';
import {
  usePerformDrawingMutation,
  type DrawingView,
  type LandingPageView,
  type PerformDrawingBody,
} from '../../api/admin';
import type { ApiError } from '../../../shared/api/apiError';
import { isUnknown } from '../../../shared/api/isUnknown';
import { useAppForm } from '../../../shared/form/useAppForm';
import { newEventId } from '../../../shared/lib/eventId';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { useAct } from '../../lib/useAct';

interface Values {
  landingPage: LandingPageView;
  isAdditional: boolean;
  reason: string;
  prizeName: string;
  prizeValue: string;
}

const nothing: Values = {
  landingPage: '',
  isAdditional: false,
  reason: '',
  prizeName: '',
  prizeValue: '',
};

const loadSchema = () =>
  import(/* webpackChunkName: "drawing-rules" */ './schema').then((file) => file.performSchema);

interface Options {
  /** The figures should be up to date when staff decide. */
  onAsk: () => void;
  onPerformed: (drawing: DrawingView) => void;
}

/** One press of the button: what is sent, and the key that makes sending it again safe. */
interface Request {
  body: PerformDrawingBody;
  idempotencyKey: string;
}

/** Asks for confirmation of the chosen raffle, then draws once. */
export function useDrawingForm({ onAsk, onPerformed }: Options) {
  // One for each opened dialog: pressing again, or trying again in it, cannot draw a second winner.
  const [request, setRequest] = useState<Request>();
  const [proposal, setProposal] = useState<Proposed>();
  const [perform] = usePerformDrawingMutation();
  const toast = useToast();
  const drawing = useAct(explainFailure);

  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: nothing,
    send: ask,
    explain: ({ sentence }) => sentence, // the rules could not be loaded: nothing is sent yet
    onInvalid: tellMissing,
  });

  function ask(values: Values) {
    drawing.forget();
    setRequest({ body: bodyOf(values), idempotencyKey: newEventId() });
    onAsk();
  }

  function tellMissing({ landingPage }: FieldErrors<Values>) {
    if (!landingPage) return;
    toast({ title: 'Select Raffle', description: landingPage.message ?? '', tone: 'bad' });
  }

  async function draw({ body, idempotencyKey }: Request) {
    const performed = await perform({
      performDrawingBody: body,
      'Idempotency-Key': idempotencyKey,
    }).unwrap();
    setRequest(undefined);
    if (isProposed(performed)) {
      setProposal(performed);
      return form.reset();
    }
    if (performed.status === 'drawn') form.reset();
    onPerformed(performed);
  }

  function explainFailure(error: ApiError): string | undefined {
    const { sentence, serverSentence = 'Failed to perform drawing' } = error;
    toast({ title: 'Drawing Failed', description: serverSentence, tone: 'bad' });
    if (form.showServerErrors(byInput(error))) {
      setRequest(undefined); // the inputs are behind the dialog
      return undefined;
    }
    return isUnknown(error) ? `${sentence} ${SAFE}` : sentence;
  }

  return {
    ...form,
    isAsking: request !== undefined,
    isDrawing: drawing.pending,
    drawProblem: drawing.problem,
    draw: () => {
      if (request) drawing.run(() => draw(request));
    },
    reconsider: () => setRequest(undefined),
    proposal,
    forgetProposal: () => setProposal(undefined),
  };
}

function bodyOf({ landingPage, isAdditional, reason, prizeName, prizeValue }: Values) {
  const raffle = { landingPage: landingPage };
  if (!isAdditional) return raffle;
  return { ...raffle, reason, prize: { name: prizeName, value: prizeValue } };
}

/** The server has one message for the prize, which has two inputs: it stands at the first. */
function byInput(error: ApiError): ApiError {
  const { prize, ...others } = error.fields ?? {};
  return prize ? { ...error, fields: { ...others, prizeName: prize } } : error;
}

const SAFE = 'It is safe to try again: nobody is drawn twice.';
