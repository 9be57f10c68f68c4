import type { Choice } from './consent';

type Answer = (choice: 'accepted' | 'declined') => void;

/** Asks once, in plain DOM: it stands on pages that never load React. */
export class ConsentBar {
  private readonly bar = document.createElement('section');

  constructor(answer: Answer) {
    this.bar.className = 'ask';
    this.bar.setAttribute('aria-label', 'Ads');
    const policy = Object.assign(document.createElement('a'), { href: '/privacy#ads' });
    policy.textContent = 'Privacy Policy';
    const text = document.createElement('p');
    text.append(
      'May we measure our ads? If you accept, Meta learns when this browser visits a page, opens a link from our texts, enters, agrees to our texts, shares a link, or sees or buys entry packages. It never gets your phone number from us. Your chances stay the same. ',
      policy,
    );
    const choices = document.createElement('div');
    choices.className = 'choices';
    choices.append(...offers(undefined, answer)); // of one look: neither answer is the easier one
    this.bar.append(text, choices);
  }

  show() {
    document.body.append(this.bar);
    for (const type of ['scroll', 'resize']) addEventListener(type, this.yieldToForm);
    this.yieldToForm();
  }

  hide() {
    for (const type of ['scroll', 'resize']) removeEventListener(type, this.yieldToForm);
    const focused = this.bar.contains(document.activeElement);
    this.bar.remove();
    if (focused) document.getElementById('main')?.focus({ preventScroll: true });
  }

  /** On a small screen it would lie on the form: there the form comes first, and this when it has left. */
  readonly yieldToForm = () => {
    const form = document.querySelector('form');
    this.bar.classList.toggle('yields', form !== null && overlap(form, this.bar));
  };
}

function overlap(one: Element, other: Element): boolean {
  const a = one.getBoundingClientRect();
  const b = other.getBoundingClientRect();
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

const states = {
  asked: 'You have not chosen yet. The ads pixel stays off until you accept it.',
  accepted: 'You accepted the ads pixel in this browser.',
  declined: 'You declined the ads pixel. It stays off in this browser.',
  optedOut:
    'Your browser asks sites not to track you. We take that as a no, so the ads pixel stays off.',
};

/** The place on the privacy page where the answer can be given and taken back. */
export function showChoice(place: Element, choice: Choice | 'optedOut', answer: Answer): void {
  const [state, buttons] = [place.querySelector('p'), place.querySelector('div')];
  if (!state || !buttons) return;
  if (buttons.contains(document.activeElement)) state.focus(); // the pressed button goes
  state.textContent = states[choice ?? 'asked'];
  buttons.replaceChildren(...offers(choice, answer));
}

function offers(choice: Choice | 'optedOut', answer: Answer): HTMLElement[] {
  const accept = button('Accept', () => answer('accepted'));
  const decline = (label: string) => button(label, () => answer('declined'));
  if (choice === 'accepted') return [decline('Withdraw consent')];
  if (choice === 'declined') return [accept];
  return choice ? [] : [decline('Decline'), accept];
}

function button(label: string, press: () => void): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'button quiet';
  element.textContent = label;
  element.addEventListener('click', press);
  return element;
}
