exports['./overflow-page'] = async () => {
  const deeper = () => deeper() + 1;
  return String(deeper());
};
