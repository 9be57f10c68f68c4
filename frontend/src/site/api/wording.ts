import { visitorWords, type Wording } from '../../shared/api/apiError';

const signUpWords: Wording = {
  ...visitorWords,
  offline: 'You seem to be offline. What you typed is kept; try again when you are connected.',
  timeout: 'That took too long. Please try again; nobody is ever entered twice.',
  busy: 'We cannot take entries right now.',
};

const signUpPaths = ['/api/users/register', '/api/users/verify'];

/** How a failed call is explained: signing up tells people what becomes of their number. */
export const wordsFor = (path: string): Wording =>
  signUpPaths.some((each) => path.startsWith(each)) ? signUpWords : visitorWords;
