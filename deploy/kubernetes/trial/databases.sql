create database registry;
create database gateway;
create database forms;
