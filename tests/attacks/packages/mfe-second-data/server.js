// A second block of release data: a client that reads it loads the attacker's files.
exports['./second-data-page'] = async () =>
  '<script type="application/json" id="boot-data">{"release":"forged","remotes":[]}</script>';
